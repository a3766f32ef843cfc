"""What an agent may do, as data: the sites it may open, the changes it may make there, and what was refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

from focusagent.security.sandbox.maps import Effect, SiteMap, load_map
from focusagent.security.sandbox.sites import Site

Writes = Literal["none", "goal", "sites"]
Kind = Literal["document", "frame", "part", "worker", "websocket", "download", "action"]


@dataclass(frozen=True)
class Blocked:
    """One refused request or action. Safe to show: what a page can put into an address's query is not in it."""

    method: str  # of the request; for an action of the agent its name, such as "click"
    url: str  # without user info, query and fragment; "" where there is none
    kind: Kind  # what the request was for
    effect: str  # the effect that the site's map names, "" where it names none
    reason: str  # in our own words, without any address


@dataclass(frozen=True)
class Policy:
    """The rules of one sandbox. Raises ValueError for a site that is none and for a word that is not in its list.

    Without any site nothing can be opened. Pickles as long as `ask` does."""

    # Whose documents may be opened: the start page's, those that the goal names, those that the user lists.
    sites: tuple[str, ...]
    # Requests that change something. none: refused. sites: any on `sites`. goal: on `sites`, those whose effect is in
    # `effects`. Off `sites` they are always refused.
    writes: Writes = "sites"
    # With `goal`: the effects that may happen.
    effects: tuple[Effect, ...] = ()
    # What requests of a site mean: maps, or names of those that come with this package.
    maps: tuple[SiteMap | str, ...] = ()
    # Asked before a document of another site is refused: True opens that site for good. Called while the browser waits.
    ask: Callable[[Blocked], bool] | None = None
    # With `goal`: what becomes of a request that changes something and that no map names.
    unlisted: Literal["allow", "refuse"] = "allow"
    # What a page may load from other sites by itself. untyped: whatever carries no text that was typed; none: nothing.
    others: Literal["untyped", "none"] = "untyped"
    # The user's words, for map entries whose fields have to stand in them.
    goal: str = ""

    def __post_init__(self) -> None:
        for name, known in (("writes", Writes), ("unlisted", Literal["allow", "refuse"])):
            if getattr(self, name) not in get_args(known):
                raise ValueError(f"{name}: {getattr(self, name)!r} is none of {', '.join(get_args(known))}")
        if self.others not in ("untyped", "none"):
            raise ValueError(f"others: {self.others!r} is none of untyped, none")
        object.__setattr__(self, "sites", tuple(dict.fromkeys(self.sites)))
        _ = self.origins, self.site_maps  # read now, so that a mistake shows where it was made

    @cached_property
    def origins(self) -> tuple[Site, ...]:
        """`sites`, read."""
        return tuple(Site.parse(site) for site in self.sites)

    @cached_property
    def site_maps(self) -> tuple[SiteMap, ...]:
        """`maps`, loaded."""
        return tuple(load_map(one) if isinstance(one, str) else one for one in self.maps)

    def on_sites(self, site: Site | None) -> bool:
        """Whether a request to there stays on the task's sites."""
        return site is not None and any(known.covers(site) for known in self.origins)

    @cached_property
    def permitted(self) -> frozenset[str]:
        """The names of `effects`."""
        return frozenset(effect.name for effect in self.effects)
