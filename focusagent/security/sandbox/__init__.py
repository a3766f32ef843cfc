"""A sandbox at the browser's requests: what an agent can cause, whatever a page says.

from focusagent.security.sandbox import Policy, Sandbox
"""

from focusagent.security.sandbox.box import Sandbox
from focusagent.security.sandbox.maps import Effect, SiteMap, load_map
from focusagent.security.sandbox.policy import Blocked, Policy

__all__ = ["Blocked", "Effect", "Policy", "Sandbox", "SiteMap", "load_map"]
