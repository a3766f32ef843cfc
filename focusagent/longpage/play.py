"""Playing a task with its own policy in a real browser, from the full observation, without any agent."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

from focusagent.axtree import AxTree
from focusagent.scripted.needed import Needed, needed_lines
from focusagent.scripted.policies import Plan, next_plan


@dataclass(frozen=True)
class PlayedStep:
    """One step: what was shown, what had been done, what the policy does; `reward` and `error` come of it."""

    goal: str
    axtree: str
    actions: tuple[str, ...]
    thoughts: tuple[str, ...]
    plan: Plan
    reward: float
    error: str

    def needed(self, max_runs: int) -> Needed:
        """The lines without which the policy would do or remember something else."""

        def act(lines: Any) -> tuple[str, str]:
            plan = next_plan(self.goal, lines, self.actions, self.thoughts)
            return plan[0], plan.note

        return needed_lines(AxTree.parse(self.axtree, "browsergym").lines, act, max_runs)


def play(name: object, seed: int, max_steps: int) -> Generator[PlayedStep, None, None]:
    """Steps of a task of any benchmark of ours until it ends or `max_steps` are done; the browser and what the task
    started are closed in any case."""
    import gymnasium

    from focusagent.environments import know_benchmark

    know_benchmark(str(name))
    env = gymnasium.make(f"browsergym/{name}", headless=True, disable_env_checker=True)
    actions, thoughts = list[str](), list[str]()
    try:
        obs, _ = env.reset(seed=seed)
        for _ in range(max_steps):
            axtree = axtree_text(obs)
            plan = next_plan(obs["goal"], AxTree.parse(axtree, "browsergym").lines, actions, thoughts)
            past = tuple(actions), tuple(thoughts)
            after, reward, done, _, _ = env.step(plan[0])
            yield PlayedStep(obs["goal"], axtree, *past, plan, float(reward), after["last_action_error"])
            if done:
                return
            actions.append(plan[0])
            thoughts.append(plan.note)
            obs = after
    finally:
        env.close()


def axtree_text(obs: dict[str, Any]) -> str:
    """The tree as our agents see it: visible and clickable tags, no InlineTextBox lines."""
    from browsergym.utils.obs import flatten_axtree_to_str

    from focusagent.observation import drop_inline_text_boxes

    properties = obs["extra_element_properties"]
    text = flatten_axtree_to_str(obs["axtree_object"], properties, with_visible=True, with_clickable=True)
    return drop_inline_text_boxes(text)
