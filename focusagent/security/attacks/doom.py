"""An attack as something an environment can be wrapped in. Picklable; DoomArena is imported when it is used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from focusagent.errors import UserError
from focusagent.security.attacks.catalogue import Filled
from focusagent.security.attacks.judge import IntentJudge

NO_JUDGE = "attack {!r} is judged by a model: name one with attack_judge"


@dataclass(frozen=True)
class DoomAttack:
    """Wraps an environment in DoomArena's gateway. `judge` are a model's Args, for an attack that needs one.

    Raises ModuleNotFoundError, naming the extra, without DoomArena, and UserError where a judge is needed and none
    given."""

    filled: Filled
    judge: Any = None

    def wrap(self, env: Any) -> Any:
        if self.filled.spec.needs_judge and self.judge is None:
            raise UserError(NO_JUDGE.format(self.filled.spec.name), 2)
        try:
            from focusagent.security.attacks.gateway import Gateway
        except ModuleNotFoundError as error:
            raise ModuleNotFoundError("attacks need DoomArena: pip install 'focusagent[security]'") from error
        return Gateway(env, self.filled, IntentJudge(self.judge) if self.filled.spec.needs_judge else None)
