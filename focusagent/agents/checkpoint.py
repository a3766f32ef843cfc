"""The one place between a page and an agent's prompt, and between its answer and the browser.

Every agent with a retriever passes here. A defended one finds every road closed but the vetted tree: error messages,
tab titles, HTML, chat, earlier thoughts and actions; and all of it runs inside one guard that fails closed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from focusagent.agents.gated import Gatekeeper
from focusagent.dom import in_forms
from focusagent.focused import Focused
from focusagent.focuser import Focuser
from focusagent.masking import mask_observation, mask_tree
from focusagent.security.gate import Verdict
from focusagent.security.roads import WITHHELD, close_roads, empty_observation, shut_roads, vet_actions, vet_texts

Texts = list[str | None]
FORMS = "bids_in_forms"
_REFUSED = "Refused: this action could not be judged."


class Checkpoint:
    """`gatekeeper` None: actions are not judged; `mask`: values of password-like fields are hidden from everybody."""

    def __init__(self, focuser: Focuser, *, gatekeeper: Gatekeeper | None = None, mask: bool = False) -> None:
        self.focuser = focuser
        self.gatekeeper = gatekeeper
        self.mask = mask
        self.guard = focuser.guard
        self.failures: tuple[str, ...] = ()

    @property
    def closed(self) -> bool:
        """Whether the agent is defended."""
        return self.focuser.defence is not None

    def preprocess(
        self, obs: dict[str, Any], preprocessor: Callable[[dict[str, Any]], dict[str, Any]]
    ) -> dict[str, Any]:
        """The raw observation through the agent's own `preprocessor`; secrets are masked before, so that neither files
        nor prompts hold them. Of a defended agent, an observation that cannot be read becomes an empty page."""

        def seen() -> dict[str, Any]:
            raw = mask_observation(obs) if self.mask else obs
            read = preprocessor(raw)
            if self.mask and isinstance(read.get("axtree_txt"), str):
                read = read | {"axtree_txt": mask_tree(read["axtree_txt"])}
            return read | {FORMS: sorted(in_forms(obs.get("dom_object") or {}))} if self.closed else read

        return self.guard.run("reading", seen, lambda: empty_observation(obs)) if self.closed else seen()

    def arrive(self, obs: dict[str, Any]) -> dict[str, Any]:
        """Call with each page, before all else: the observation with every other road closed, for a defended agent."""
        gatekeeper = self.gatekeeper
        learned = self.guard.run("gate", lambda: gatekeeper.arrive(obs), str) if gatekeeper else ""
        if self.focuser.defence and learned:
            self.focuser.defence = self.focuser.defence.allowing(learned)
        if self.focuser.defence:
            self.focuser.defence = self.focuser.defence.on_page(obs.get(FORMS) or ())
            return self.guard.run("roads", lambda: close_roads(obs), lambda: shut_roads(obs))
        return obs

    def recall(self, agent: Any, focused: Focused, goal: str) -> None:
        """Withhold from a defended agent what its own notes quote: earlier thoughts, memories and actions."""
        if not self.closed:
            return
        withheld = [focused.tree.line(number).text for number in focused.flagged]
        for name, vet in (("thoughts", vet_texts), ("memories", vet_texts), ("actions", vet_actions)):
            notes = getattr(agent, name, None)
            if isinstance(notes, list) and all(note is None or isinstance(note, str) for note in notes):
                setattr(agent, name, self._vetted(vet, notes, withheld, goal))

    def _vetted(self, vet: Callable[[Texts, Iterable[str], str], Texts], notes: Texts, *rest: Any) -> Texts:
        return self.guard.run("notes", lambda: vet(notes, *rest), lambda: [note and WITHHELD for note in notes])

    def check(self, action: str | None, obs: dict[str, Any], focused: Focused) -> Verdict:
        """Whether an action may be sent, planned ones included. A refused address is withheld from then on."""
        gatekeeper = self.gatekeeper
        if not gatekeeper:
            return Verdict()
        verdict = self.guard.run(
            "gate", lambda: gatekeeper.check(action, obs, focused), lambda: Verdict(False, _REFUSED)
        )
        if self.focuser.defence and verdict.origin:
            self.focuser.defence = self.focuser.defence.refusing(verdict.origin)
        return verdict

    def left(self, action: str | None, obs: dict[str, Any], focused: Focused) -> None:
        """Call with the action that is sent."""
        gatekeeper = self.gatekeeper
        if gatekeeper:
            self.guard.run("gate", lambda: gatekeeper.left(action, obs, focused), lambda: None)

    def record(self, stats: dict[str, Any], extra: Mapping[str, Any]) -> None:
        """Note in the step's figures and in `extra` (its "focusagent" part) what failed and was closed."""
        failures = self.guard.take()
        stats["defence_failures"] = len(failures)
        if failures:
            extra["focusagent"]["defence_failures"] = list(failures)
