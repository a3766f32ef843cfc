"""A sandbox at the browser's requests: what an agent can cause, whatever a page says.

from focusagent.security.sandbox import Policy, Sandbox
Sandbox(Policy(sites=("https://shop.example",))).install(context)      # a Playwright browser context
"""

from typing import Any

from focusagent.security.sandbox.box import Sandbox
from focusagent.security.sandbox.maps import Effect, SiteMap, load_map
from focusagent.security.sandbox.policy import Blocked, Policy

__all__ = ["Blocked", "Effect", "Policy", "Sandbox", "SiteMap", "load_map", "sandboxed"]


def sandboxed(env_args: Any, policy: Policy | None = None) -> Any:
    """An AgentLab EnvArgs of any benchmark, its environment held to the policy; None: one made from the task's first
    page and its goal. Needs AgentLab."""
    from focusagent.security.sandbox.environment import SandboxArgs, with_sandbox

    return with_sandbox(env_args, SandboxArgs(policy=policy))
