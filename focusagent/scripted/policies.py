"""Where benchmarks register what the scripted backbone does. This module knows no task."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from focusagent.axtree import AxLine


class Plan(list[str]):
    """The next actions, the first one for an agent that takes one at a time. `note` becomes the thought of the step:
    what a policy wants to know later it must write there, as its only memory is what the prompt shows."""

    def __init__(self, actions: Iterable[str] = (), note: str = "") -> None:
        super().__init__(actions)
        self.note = note


Policy = Callable[[str, Sequence[AxLine], Sequence[str], Sequence[str]], Sequence[str]]
"""`policy(goal, lines, actions, thoughts) -> next actions`; never raises, whatever lines are missing."""

_POLICIES: dict[str, tuple[re.Pattern[str], Policy]] = {}


def register_policy(pattern: str, policy: Policy) -> None:
    """Use `policy` for goals that `pattern` matches as a whole. Registering a pattern again replaces its policy."""
    _POLICIES[pattern] = (re.compile(pattern, re.DOTALL), policy)


def policy_for(goal: str) -> Policy | None:
    """The policy registered last among those whose pattern matches the goal; None where there is none."""
    for pattern, policy in reversed(_POLICIES.values()):
        if pattern.fullmatch(goal.strip()):
            return policy
    return None


def next_plan(goal: str, lines: Sequence[AxLine], actions: Sequence[str], thoughts: Sequence[str]) -> Plan:
    """What the goal's policy does on these lines; a `noop` where there is no policy or it has nothing to do."""
    policy = policy_for(goal)
    if policy is None:
        return Plan(["noop(1000)"], note="I know no policy for this goal.")
    plan = policy(goal, lines, actions, thoughts)
    note = plan.note if isinstance(plan, Plan) else ""
    return Plan(plan or ["noop(500)"], note=note or "Next step of the policy.")
