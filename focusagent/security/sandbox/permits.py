"""Which changes a goal asks for: chosen from the goal and the map's own words, before any page is read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from math import log
from typing import Any

from focusagent.security.origins import sites_named
from focusagent.security.sandbox.maps import Effect, SiteMap, load_map
from focusagent.security.sandbox.policy import Policy, Writes

# An effect is permitted from this share of the best one's score on: a goal that asks for two things gets both.
SHARE = 0.6
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+")
_QUOTED = re.compile(r"\"[^\"]*\"|\u201c[^\u201d]*\u201d")
_ENDINGS = ("ations", "ation", "ings", "ing", "ies", "ied", "ers", "er", "ed", "es", "s", "e", "y")


def policy_for(
    goal: str, sites: Iterable[str], writes: Writes = "sites", maps: Sequence[str] = (), policy_model: Any = None
) -> Policy:
    """The policy of one task: `sites` and those that the goal names; under `goal`, the effects that it asks for.

    Where the site has a map, a change that it does not name is refused; without a map every change on the sites passes,
    since none has a name."""
    named = [f"{origin.host}" if origin.port in (80, 443) else str(origin) for origin in sites_named(goal)]
    loaded = tuple(load_map(name) for name in maps)
    effects: tuple[Effect, ...] = ()
    if writes == "goal" and loaded:
        effects = permits(goal, loaded) if policy_model is None else asked_permits(goal, loaded, policy_model)
    unlisted = "refuse" if loaded else "allow"
    known = tuple(dict.fromkeys([*sites, *sorted(named)]))
    return Policy(known, writes, effects, loaded, unlisted=unlisted, goal=goal)  # type: ignore[arg-type]


def permits(goal: str, maps: Sequence[SiteMap]) -> tuple[Effect, ...]:
    """The effects whose words fit the goal, by the local scorer: shared words, rare ones among the effects counting
    more. What the goal quotes is what is to be written, not what is to be done: it does not count."""
    effects = [effect for site_map in maps for effect in site_map.described()]
    known = {effect: stems(f"{effect.name} {effect.words}") for effect in effects}
    asked = stems(_QUOTED.sub(" ", goal))
    scores = {effect: _score(asked, words, list(known.values())) for effect, words in known.items()}
    best = max(scores.values(), default=0.0)
    return tuple(effect for effect in effects if best > 0 and scores[effect] >= SHARE * best)


def _score(asked: frozenset[str], words: frozenset[str], all_words: list[frozenset[str]]) -> float:
    return sum(log(1 + len(all_words) / sum(word in other for other in all_words)) for word in asked & words)


def asked_permits(goal: str, maps: Sequence[SiteMap], model_args: Any) -> tuple[Effect, ...]:
    """The same by a chat model, which sees the goal and the effects' words, no page. An answer that names no effect of
    the maps permits nothing."""
    effects = [effect for site_map in maps for effect in site_map.described()]
    listed = "\n".join(f"- {effect.name}: {effect.words}" for effect in effects)
    prompt = (
        "Which of these changes on a web site does the task ask for? Answer with their names only, separated by commas,"
        f" or with: none.\n\nTask: {goal}\n\nChanges:\n{listed}"
    )
    answer = model_args.make_model()([{"role": "user", "content": prompt}])
    said = str(answer["content"] if isinstance(answer, dict) else answer)
    named = set(re.findall(r"[\w.-]+", said))
    return tuple(effect for effect in effects if effect.name in named)


def stems(text: str) -> frozenset[str]:
    """The words of a text without their endings, so that "replies" meets "reply"."""
    return frozenset(_stem(word) for word in _WORD.findall(text.lower()))


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word.removesuffix(ending)
    return word
