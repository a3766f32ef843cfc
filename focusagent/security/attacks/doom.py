"""An attack as something an environment can be wrapped in. Picklable; DoomArena is imported when it is used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from focusagent.security.attacks.catalogue import Filled


@dataclass(frozen=True)
class DoomAttack:
    """Wraps an environment in DoomArena's gateway. Raises ModuleNotFoundError, naming the extra, without DoomArena."""

    filled: Filled

    def wrap(self, env: Any) -> Any:
        try:
            from focusagent.security.attacks.gateway import Gateway
        except ModuleNotFoundError as error:
            raise ModuleNotFoundError("attacks need DoomArena: pip install 'focusagent[security]'") from error
        return Gateway(env, self.filled)
