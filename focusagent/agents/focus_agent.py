"""FocusAgent (arXiv 2510.03204): a retriever chooses the lines of the page that the backbone sees."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

from agentlab.llm.base_api import BaseModelArgs
from browsergym.experiments.agent import AgentInfo

from focusagent.agents.checkpoint import Checkpoint
from focusagent.agents.gated import MAX_REFUSALS, Gatekeeper
from focusagent.agents.generic import ObservedAgent, ObservedAgentArgs, check_args, make_reproducible, model_slug
from focusagent.agents.looking import answer_to, both, offering, with_looks
from focusagent.agents.settings import check_settings
from focusagent.agents.shim import goal_text
from focusagent.agents.timeline import Timeline
from focusagent.axtree import Keep
from focusagent.focused import Focused
from focusagent.focuser import Focuser
from focusagent.long_lines import fitted
from focusagent.models.tracking import report
from focusagent.retrieval import Retriever, make_retriever
from focusagent.second_look import read_look, restored
from focusagent.security.vetted import Defence
from focusagent.signals.reuse import ReuseMode
from focusagent.signals.reusing import ReusingRetriever

MODEL_RETRIEVERS = ("llm", "local+llm")
GIVE_UP = "noop()"
SWITCHES = ("simplify", "gate", "keep_live", "keep_text", "compact_prompt", "cut_long_lines")
NAMED_SETTINGS = ("keep", "strategy", "reuse", "skip_below", "second_look", *SWITCHES)


class FocusAgent(ObservedAgent):
    """GenericAgent on a focused page."""

    def __init__(self, args: FocusAgentArgs) -> None:
        super().__init__(chat_model_args=args.chat_model_args, flags=args.flags, max_retry=args.max_retry)
        self.timeline = Timeline()
        self.gatekeeper = Gatekeeper(args.gate_allow) if args.gate else None
        self.focuser = Focuser(
            args.make_retriever(),
            dialect="browsergym",  # what BrowserGym prints is never guessed at
            simplify=args.simplify,
            keep=args.keep,
            skip_below=args.skip_below,
            defence=args.make_defence(),
            name_hidden=args.second_look > 0,
            keep_live=args.keep_live,
            keep_text=args.keep_text,
        )
        self.checkpoint = Checkpoint(self.focuser, gatekeeper=self.gatekeeper, mask=args.masks)
        self.cut_long_lines = args.cut_long_lines
        self.second_look = args.second_look
        self.with_looks = with_looks(args.flags.action.action_set) if args.second_look else None

    def obs_preprocessor(self, obs: dict[str, Any]) -> dict[str, Any]:
        return self.checkpoint.preprocess(obs, super().obs_preprocessor)

    def get_action(self, obs: dict[str, Any]) -> tuple[str | None, AgentInfo]:
        action, info = self.step(self.checkpoint.arrive(obs))
        self.checkpoint.record(info.stats, info.extra_info)
        return action, info

    def step(self, obs: dict[str, Any]) -> tuple[str | None, AgentInfo]:
        """Choose an action on a page that has passed the checkpoint."""
        action, info = super().get_action(obs)
        self.draw_timeline(action, info)
        return action, info

    def draw_timeline(self, action: str | None, info: AgentInfo) -> None:
        """Where a selection may be reused, show in xray when it was."""
        if isinstance(self.focuser.retriever, ReusingRetriever):
            skip = (info.extra_info or {})["focusagent"]["skip"]
            self.timeline.add_decision(self.focuser.retriever.decision, action, skip or "")
            info.html_page = self.timeline.put_into(info.html_page)

    def look(self, obs: dict[str, Any]) -> Focused:
        focused = self.focuser.focus(
            obs["axtree_txt"],
            goal_text(obs),
            history=tuple((str(t or ""), str(a or "")) for t, a in zip(self.thoughts, self.actions, strict=True)),
            last_action=str(self.actions[-1] or "") if self.actions else "",
            last_action_error=obs.get("last_action_error") or "",
            focused_bid=obs.get("focused_element_bid") or "",
            tabs=tuple(obs.get("open_pages_titles") or ()),
            screenshot=obs.get("screenshot"),
        )
        report(focused.selection.calls)
        return self._fitted(focused)

    def _fitted(self, focused: Focused) -> Focused:
        return fitted(focused, self._get_maxes()[0]) if self.cut_long_lines else focused

    def shown(self, obs: dict[str, Any], focused: Focused) -> dict[str, Any]:
        self.checkpoint.recall(self, focused, goal_text(obs))
        return super().shown(obs, focused)

    def act(self, obs: dict[str, Any], focused: Focused) -> tuple[str | None, AgentInfo]:
        """The backbone's action; one that the gate refuses is never sent: the backbone is told and chooses again."""
        action, info = self._choose(obs)
        blocked = 0
        while not (verdict := self.checkpoint.check(action, obs, self.focused)).allowed:
            blocked += 1
            self._forget_step()
            spent = info.stats
            action, info = self._choose(obs | {"last_action_error": verdict.reason})
            info.stats = both(spent, info.stats)
            if blocked == MAX_REFUSALS:
                action = self.actions[-1] = GIVE_UP
                break
        self.checkpoint.left(action, obs, self.focused)
        info.stats |= {"gate_blocked": blocked, **self._reuse_stats()}
        return action, info

    def _choose(self, obs: dict[str, Any]) -> tuple[str | None, AgentInfo]:
        """The backbone's action. A second look is answered here, by showing more of the page: it is no step."""
        looks, lines_before, spent = 0, self.focused.ranges.count, dict[str, float]()
        while True:
            with offering(self, self.with_looks if looks < self.second_look else None):
                action, info = super().act(obs, self.focused)
            info.stats = both(spent, info.stats)
            look = read_look(action) if looks < self.second_look else None
            if look is None:
                break
            looks, spent = looks + 1, info.stats
            self._forget_step()
            lines = restored(self.focused.tree, self.focused.removed, look)
            self.focused = self._fitted(self.focuser.show_more(self.focused, lines, goal_text(obs)))
            told = answer_to(look, lines.count, obs.get("last_action_error") or "")
            obs = obs | {"axtree_txt": self.focused.text, "last_action_error": told}
        if self.second_look:
            info.stats |= {"second_looks": looks, "second_look_lines": self.focused.ranges.count - lines_before}
        return action, info

    def _forget_step(self) -> None:
        """Take back what GenericAgent noted of a step that was not taken."""
        for notes in (self.obs_history, self.actions, self.memories, self.thoughts):
            notes.pop()

    def _reuse_stats(self) -> Mapping[str, float]:
        retriever = self.focuser.retriever
        return retriever.stats() if isinstance(retriever, ReusingRetriever) else {}


@dataclass
class FocusAgentArgs(ObservedAgentArgs):
    """Arguments of FocusAgent. Raises UserError, in one line, for settings that can never work."""

    family: ClassVar[str] = "focus"

    agent_name: str = field(default="", kw_only=True)
    chat_model_args: BaseModelArgs = None  # the backbone's model
    flags: Any = None  # of GenericAgent's prompt; the paper's where None
    retriever: str = "llm"  # a name of RETRIEVERS or a dotted path
    retriever_model_args: BaseModelArgs | None = None  # the retriever's model; the backbone's where None
    retriever_kwargs: dict[str, Any] = field(
        default_factory=dict
    )  # further arguments of the retriever; they win over the settings below
    keep: Keep = "nothing"  # what stays of a removed line
    simplify: bool = True  # shorten the tree before the retriever reads it
    strategy: str = "soft"  # the retriever's prompt: soft, neutral, aggressive or defense
    reuse: ReuseMode = "never"  # when a selection is carried over instead of asking again
    gate: bool = False  # refuse navigation out of the task's sites
    skip_below: int = 500  # tokens of a page under which no retriever is asked
    max_retry: int = field(default=4, kw_only=True)  # attempts at an answer of the backbone that can be parsed
    gate_allow: tuple[str, ...] = field(default=(), kw_only=True)  # further sites, as URLs or host[:port]
    second_look: int = field(default=0, kw_only=True)  # how often a step the backbone may have pruned lines back
    cut_long_lines: bool = field(default=True, kw_only=True)  # of a page that is too long, before whole lines go
    compact_prompt: bool = field(default=True, kw_only=True)  # fewer tokens for line numbers and indentation
    keep_live: bool = field(default=True, kw_only=True)  # dialogs, the focus, what was just acted on stay shown
    keep_text: bool = field(default=False, kw_only=True)  # text directly under a chosen heading or cell stays shown
    mask_secrets: bool = field(
        default=False, kw_only=True
    )  # show values of password-like fields as filled or empty only

    def __post_init__(self) -> None:
        check_settings(self)
        super().__post_init__()
        self.retriever_model_args = deepcopy(self.retriever_model_args)
        self.retriever_kwargs = deepcopy(self.retriever_kwargs)

    @property
    def masks(self) -> bool:
        """Whether values of password-like fields are hidden from both models and from the files of the episode."""
        return self.mask_secrets

    @property
    def uses_model(self) -> bool:
        return self.retriever in MODEL_RETRIEVERS

    def _changes(self) -> list[str]:
        """Settings other than the class's own, for a name that tells variants apart."""
        own = {one.name: one.default for one in fields(self) if one.name in NAMED_SETTINGS}
        return [f"{name}={getattr(self, name)}" for name in NAMED_SETTINGS if getattr(self, name) != own[name]]

    def default_name(self) -> str:
        kind = self.family if self.retriever == "llm" else f"{self.family}-{self.retriever}"
        name = f"{','.join([kind, *self._changes()])}__{model_slug(self.chat_model_args)}"
        with_model = self.uses_model and self.retriever_model_args is not None
        return f"{name}__{model_slug(self.model_args)}" if with_model else name

    @property
    def model_args(self) -> BaseModelArgs:
        """The retriever's model."""
        return self.retriever_model_args or self.chat_model_args

    def make_retriever_kwargs(self) -> dict[str, Any]:
        """What the retriever is made with; the user's own `retriever_kwargs` win."""
        if not self.uses_model:
            return {}
        return {
            "model_args": self.model_args,
            "strategy": self.strategy,
            "focused": self.keep_live,
            "compact": self.compact_prompt,
        }

    def make_retriever(self) -> Retriever:
        retriever = make_retriever(self.retriever, **(self.make_retriever_kwargs() | self.retriever_kwargs))
        if self.reuse == "never":
            return retriever
        return ReusingRetriever(retriever, self.reuse, strict=self.strategy == "defense")

    def make_defence(self) -> Defence | None:
        return None

    def set_reproducibility_mode(self) -> None:
        super().set_reproducibility_mode()
        if self.retriever_model_args is not None:
            make_reproducible(self.retriever_model_args)

    def prepare(self) -> None:
        super().prepare()
        if self.uses_model:
            check_args(self.model_args)
        if self.retriever_model_args is not None:
            self.retriever_model_args.prepare_server()

    def close(self) -> None:
        super().close()
        if self.retriever_model_args is not None:
            self.retriever_model_args.close_server()

    def make_agent(self) -> FocusAgent:
        return FocusAgent(self)
