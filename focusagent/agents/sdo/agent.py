"""SDOAgent (arXiv 2606.06708): observe only when a signal fires, act by a plan in between.

The root model plans a sequence of actions from compact observations and never reads the raw page; a sub-call turns the
page into such an observation; after each action a detector without a model decides whether the plan goes on."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import Any

from agentlab.agents.generic_agent.generic_agent_prompt import GenericPromptFlags
from agentlab.llm.tracking import cost_tracker_decorator
from browsergym.experiments.agent import AgentInfo

from focusagent.agents.focus_agent import MODEL_RETRIEVERS, FocusAgent, FocusAgentArgs
from focusagent.agents.generic import model_slug
from focusagent.agents.sdo.observations import Observation, Observations
from focusagent.agents.sdo.plan import missing_target, steps_of, thoughts_of
from focusagent.agents.shim import goal_text
from focusagent.agents.stats import step_record, step_stats
from focusagent.agents.xray import step_page
from focusagent.axtree import AxTree, LineRanges
from focusagent.errors import BadSetting
from focusagent.focused import Focused
from focusagent.models.tokens import count_tokens
from focusagent.retrieval import Selection
from focusagent.security.gate import Verdict
from focusagent.signals import ReusingRetriever, SignalKind, Signals, Snapshot, detect_signals
from focusagent.signals.kinds import ALL_KINDS, PAPER_KINDS
from focusagent.signals.reuse import ReuseMode

SUB_CALL = "focusagent.retrieval.llm.sub_call.SubCall"
REFUSED = "the plan's next action is refused"


class SDOAgent(FocusAgent):
    """The root model is GenericAgent's backbone, the sub-call is the retriever."""

    def __init__(self, args: SDOAgentArgs) -> None:
        super().__init__(args)
        self.kinds = args.signal_kinds
        self.observations = Observations(args.full_observations, purposes=args.purposes)
        self.queue: deque[tuple[str, str]] = deque()
        self.last: Snapshot | None = None
        self.planned_on = AxTree.parse("")
        self.because = ""
        self.signals: Signals | None = None
        self.looked_at_step = 0

    def step(self, obs: dict[str, Any]) -> tuple[str | None, AgentInfo]:
        """The next planned action where nothing happened; else a new observation and a new plan."""
        now = Snapshot(
            AxTree.parse(obs["axtree_txt"], "browsergym"), obs.get("url") or "", obs.get("last_action_error") or ""
        )
        self.signals = self._detect(now)
        self.because = self._reason_to_look(now)
        self.last = now
        if not self.because and not (verdict := self._judge_planned(obs, now)).allowed:
            self.because = REFUSED
            obs = obs | {"last_action_error": verdict.reason}
        if not self.because:
            action, info = self.follow(obs)
        else:
            self.queue.clear()
            self.planned_on, self.looked_at_step = now.tree, len(self.actions)
            action, info = super().step(obs)
        info.stats |= self._sdo_stats()
        info.stats["gate_blocked"] = info.stats.get("gate_blocked", 0) + (self.because == REFUSED)
        info.extra_info["focusagent"]["signals"] = signal_records(self.signals)
        info.extra_info["focusagent"]["because"] = self.because
        if not self.because:
            self.draw_timeline(action, info)
        return action, info

    def draw_timeline(self, action: str | None, info: AgentInfo) -> None:
        self.timeline.add(self._look() if self.because else "planned", self.signals, self.because, action)
        info.html_page = self.timeline.put_into(info.html_page)

    def shown(self, obs: dict[str, Any], focused: Focused) -> dict[str, Any]:
        self.observations.add(focused, len(self.actions), self.because)
        return super().shown(obs, focused) | {"axtree_txt": self.observations.render()}

    def act(self, obs: dict[str, Any], focused: Focused) -> tuple[str | None, AgentInfo]:
        """Ask the root model for a plan; its first action is done now, the others wait for their turn."""
        answer, info = super().act(obs, focused)
        steps = steps_of(answer)
        thoughts = thoughts_of(info.think, len(steps))
        self.queue.extend(zip(steps[1:], thoughts[1:], strict=True))
        action = self.actions[-1] = steps[0] if steps else answer
        self.thoughts[-1] = thoughts[0] if thoughts else info.think
        return action, info

    @cost_tracker_decorator  # type: ignore[untyped-decorator]
    def follow(self, obs: dict[str, Any]) -> tuple[str | None, AgentInfo]:
        """Do what was planned next, with no call of any model and no reading of the page."""
        action, thought = self.queue.popleft()
        tree = AxTree.parse(obs["axtree_txt"], "browsergym")
        self.obs_history.append(obs | {"axtree_txt": ""})
        self.actions.append(action)
        self.memories.append(None)
        self.thoughts.append(thought)
        tokens = count_tokens(obs["axtree_txt"])
        unread = Focused(self._current_text(), LineRanges(), LineRanges(), tokens, 0, Selection(LineRanges()), tree)
        self.checkpoint.left(action, obs, unread)
        info = AgentInfo(think=thought, chat_messages=None, stats=step_stats(unread, action, ""))
        info.stats |= {"backbone_seconds": 0.0, "backbone_cost_unknown": 0}
        info.extra_info = {"focusagent": step_record(unread, self._get_maxes()[0])}
        info.html_page = step_page(goal_text(obs), replace(unread, text=""), info, action)
        return action, info

    def _judge_planned(self, obs: dict[str, Any], now: Snapshot) -> Verdict:
        """Whether the plan's next action may be done on the page as it is now, which the plan's maker has not seen."""
        page = Focused("", LineRanges(), LineRanges(), 0, 0, Selection(LineRanges()), now.tree)
        return self.checkpoint.check(self.queue[0][0], obs, page)

    def _detect(self, now: Snapshot) -> Signals | None:
        if self.last is None:
            return None
        return detect_signals(self.last, now, str(self.actions[-1] or ""), kinds=self.kinds)

    def _reason_to_look(self, now: Snapshot) -> str:
        """Why a new observation is due, in a few words; "" where the plan goes on."""
        if self.signals is None:
            return "the first page"
        if self.signals.fired:
            return "; ".join(f"{signal.kind} ({signal.detail})" for signal in self.signals.fired)
        if not self.queue:
            return "the plan is done"
        bid = missing_target(self.queue[0][0], self.planned_on, now.tree)
        return f"element {bid} of the plan is gone" if bid else ""

    def _look(self) -> str:
        retriever = self.focuser.retriever
        return str(retriever.decision.look) if isinstance(retriever, ReusingRetriever) else "fresh"

    def _current_text(self) -> str:
        return "\n".join(self.observations.kept[-1].lines)

    def _sdo_stats(self) -> dict[str, int]:
        looked = bool(self.because)
        return {f"signal_{kind}": int(bool(self.signals and self.signals.has(kind))) for kind in SignalKind} | {
            "sdo_planned_step": int(not looked),
            "sdo_observations": int(looked),
            "sdo_observation_age": len(self.actions) - 1 - self.looked_at_step,
            "sdo_plan_left": len(self.queue),
        }

    @property
    def newest(self) -> Observation:
        """What the root model was shown last. Raises IndexError before the first step."""
        return self.observations.kept[-1]


def signal_records(signals: Signals | None) -> list[dict[str, Any]]:
    """What fired, as plain data."""
    return [
        {"kind": str(signal.kind), "detail": signal.detail, "lines": [list(pair) for pair in signal.lines.pairs]}
        for signal in (signals.fired if signals is not None else ())
    ]


def planning_flags(flags: GenericPromptFlags) -> GenericPromptFlags:
    """The flags, changed in place to a root model's: several actions an answer, and what that means."""
    flags.action.multi_actions = True
    if flags.action.action_set is not None:
        flags.action.action_set.multiaction = True
    flags.be_cautious = False
    instructions = (files("focusagent.agents") / "prompts" / "sdo_root.txt").read_text(encoding="utf-8").strip()
    if instructions not in (flags.extra_instructions or ""):
        flags.extra_instructions = "\n".join(part for part in (flags.extra_instructions, instructions) if part)
    return flags


@dataclass
class SDOAgentArgs(FocusAgentArgs):
    """`chat_model_args` is the root model; `retriever` makes the observations: SUB_CALL, or any other retriever.
    `reuse="signals"` lets a sub-call read the changed subtrees only; `conditions` are the signals that are watched:
    None means the paper's four with the paper's sub-call, and all with another retriever. `purposes` shows what the
    retriever says of each line."""

    retriever: str = SUB_CALL
    reuse: ReuseMode = "signals"
    full_observations: int = 1
    purposes: bool = True
    conditions: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if unknown := set(self.conditions or ()) - set(SignalKind):
            raise BadSetting(f"unknown conditions: {', '.join(sorted(unknown))}; known: {', '.join(SignalKind)}")
        super().__post_init__()
        self.flags = planning_flags(self.flags)

    @property
    def signal_kinds(self) -> frozenset[SignalKind]:
        if self.conditions is None:
            return PAPER_KINDS if self.retriever == SUB_CALL else ALL_KINDS
        return frozenset(SignalKind(name) for name in self.conditions)

    @property
    def uses_model(self) -> bool:
        return self.retriever in (*MODEL_RETRIEVERS, SUB_CALL)

    def make_retriever_kwargs(self) -> dict[str, Any]:
        return {"model_args": self.model_args} if self.retriever == SUB_CALL else super().make_retriever_kwargs()

    def default_name(self) -> str:
        kind = "sdo" if self.retriever == SUB_CALL else f"sdo-{self.retriever}"
        if self.retriever == SUB_CALL and self.signal_kinds == ALL_KINDS:
            kind = "sdo-plus"
        models = (self.chat_model_args, self.retriever_model_args)
        return "__".join([kind, *(model_slug(model) for model in models if model is not None)])

    def make_agent(self) -> SDOAgent:
        return SDOAgent(self)
