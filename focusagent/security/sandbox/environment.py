"""The sandbox around a BrowserGym environment: from the task's first page on, for any benchmark and any agent."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import Any

import gymnasium as gym
from playwright.sync_api import Error

from focusagent.actions import calls
from focusagent.security.sandbox.box import Sandbox
from focusagent.security.sandbox.frames import refused_action
from focusagent.security.sandbox.judge import BROKEN, NOT_ASKED, READ_ONLY
from focusagent.security.sandbox.permits import policy_for
from focusagent.security.sandbox.playwright_sync import hold
from focusagent.security.sandbox.policy import Policy, Writes

_TYPING = {"fill": 1, "keyboard_type": 0, "keyboard_insert_text": 0, "keyboard_press": 0, "press": 1}
_NOTHING = "noop(0)"


@dataclass(frozen=True)
class SandboxArgs:
    """What one episode's sandbox is made from. Pickles."""

    writes: Writes = "sites"
    policy: Policy | None = None  # used as it is; None: made from the first page and the goal, with the fields below
    allow: tuple[str, ...] = ()  # further sites that the user lists
    maps: tuple[str, ...] = ()  # names or files of the site's maps
    policy_model: Any = None  # Args of a chat model that chooses the permits; None: the local scorer

    def wrap(self, env: gym.Env[Any, Any]) -> gym.Env[Any, Any]:
        return SandboxedEnv(env, self)


@dataclass
class StepRecord:
    """What the sandbox did in one step; `asdict` of it is `obs["sandbox"]` and `task_info["sandbox"]`."""

    blocked: list[dict[str, str]] = field(default_factory=list)  # each refusal, addresses without their query
    reads: int = 0
    writes: int = 0
    sites: tuple[str, ...] = ()  # that may be opened
    permitted: tuple[str, ...] = ()  # effects that may happen, under `goal`


class SandboxedEnv(gym.Wrapper[Any, Any, Any, Any]):
    """Judges every request from the task's set-up on. A refused action is told in `last_action_error`."""

    def __init__(self, env: gym.Env[Any, Any], args: SandboxArgs) -> None:
        super().__init__(env)
        self.args = args
        self.box = Sandbox(Policy(sites=()))
        self._base: Any = env.unwrapped
        self._hook_task()
        self._hook_waiting()

    def _hook_task(self) -> None:
        """Be there before the task's first page: the policy is made when that page stands, and before anyone acts."""
        make_task = self._base.task_entrypoint

        def entrypoint(*args: Any, **kwargs: Any) -> Any:
            task = make_task(*args, **kwargs)
            set_up = task.setup

            def setup(page: Any) -> Any:
                self.box = Sandbox(Policy(sites=()))
                self.box.learn()
                self.box.install(page.context)
                goal, info = set_up(page)
                self._hold(page.context, _text(goal))
                return goal, info

            task.setup = setup
            return task

        self._base.task_entrypoint = entrypoint

    def _hold(self, context: Any, goal: str) -> None:
        """The sites that were opened last in each tab, and whatever led there."""
        policy = self.args.policy
        if policy is None:
            sites = [*self.box.learnt, *self.args.allow]
            policy = policy_for(goal, sites, self.args.writes, self.args.maps, self.args.policy_model)
        self.box.hold(policy)
        hold(self.box, context)

    def _hook_waiting(self) -> None:
        """BrowserGym sleeps before it observes. Requests wait for our answers meanwhile, so wait inside Playwright."""
        after = self._base.post_step

        def post_step(info: Any, validate: bool = True) -> Any:
            seconds, self._base.pre_observation_delay = self._base.pre_observation_delay, 0
            try:
                self._wait(seconds)
                return after(info, validate)
            finally:
                self._base.pre_observation_delay = seconds

        self._base.post_step = post_step

    def _wait(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        with suppress(Error):
            self._base.page.wait_for_timeout(seconds * 1000)
        time.sleep(max(0.0, until - time.monotonic()))  # the tab has closed in between

    def reset(self, **kwargs: Any) -> tuple[Any, dict[str, Any]]:
        obs, info = self.env.reset(**kwargs)
        obs["sandbox"] = asdict(self._record(0, 0, 0))
        return obs, info

    def step(self, action: str) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        before = len(self.box.blocked), self.box.reads, self.box.writes
        tabs = set(self._base.context.pages)
        if reason := self._refused(action):
            self.box.refused(next((call.name for call in calls(action)), "?"), "", "action", reason)
            obs, reward, ended, cut, info = self.env.step(_NOTHING)
            self._base.last_action = obs["last_action"] = action
        else:
            obs, reward, ended, cut, info = self.env.step(action)
        record = self._record(*before)
        if told := _told(record):
            self._close_empty(tabs, action)
            self._base.last_action_error = told
            obs = self._base._get_obs()
        obs["sandbox"] = asdict(record)
        info["task_info"] = dict(info.get("task_info") or {}) | {"sandbox": asdict(record)}
        return obs, reward, ended, cut, info

    def _refused(self, action: str) -> str:
        """Why the action is not sent; one that is sent has told the sandbox what it types."""
        try:
            reason = refused_action(action, self._base.page, self.box.policy)
        except Exception:  # a page that cannot be asked is not acted on
            return BROKEN
        for call in calls(action):
            if not reason and call.name in _TYPING:
                text = call.argument(_TYPING[call.name], "value")
                self.box.type(text if "press" not in call.name or len(text) == 1 else "")
        return reason

    def _close_empty(self, tabs: set[Any], action: str) -> None:
        """A tab that was opened for a refused page shows nothing; closed unless the agent asked for a tab."""
        if any(call.name == "new_tab" for call in calls(action)):
            return
        for page in self._base.context.pages:
            if page not in tabs and page.url in ("", "about:blank") and len(self._base.context.pages) > 1:
                with suppress(Error):
                    page.close()
        self._base._active_page_check()

    def _record(self, blocked: int, reads: int, writes: int) -> StepRecord:
        policy = self.box.policy
        return StepRecord(
            [asdict(one) for one in self.box.blocked[blocked:]],
            self.box.reads - reads,
            self.box.writes - writes,
            policy.sites,
            tuple(effect.name for effect in policy.effects),
        )


def _told(record: StepRecord) -> str:
    """What the agent is told: refusals that its own step led to, each once. What pages do by themselves is not told."""
    reasons = [
        one["reason"]
        for one in record.blocked
        if one["kind"] in ("document", "frame", "download", "action") or one["reason"] in (READ_ONLY, NOT_ASKED)
    ]
    return "Refused: " + "; ".join(dict.fromkeys(reasons)) + "." if reasons else ""


def _text(goal: Any) -> str:
    """A goal's words; of a goal in parts, its texts."""
    if isinstance(goal, list):
        return "\n".join(str(part.get("text", "")) for part in goal if isinstance(part, dict))
    return str(goal or "")


def with_sandbox(env_args: Any, args: SandboxArgs) -> Any:
    """AgentLab's EnvArgs, of any benchmark, whose environment has a sandbox."""
    from focusagent.environments import FocusEnvArgs

    return FocusEnvArgs(**(vars(env_args) | {"sandbox": args}))
