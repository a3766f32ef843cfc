"""Options that a model may refuse: sent until it says so, then left out for good."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from focusagent.models.failure import Failure, model_error
from focusagent.models.request import Reply

_UNSUPPORTED = re.compile(
    r"unsupported|not support|unknown|unrecognized|unexpected|not permitted|not allowed|deprecated|only the default",
    re.I,
)


class Options:
    """Which of the named options the model has refused so far."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = tuple(names)
        self.refused: set[str] = set()

    def allow(self, options: dict[str, Any]) -> dict[str, Any]:
        """The options that are set and have not been refused."""
        return {name: value for name, value in options.items() if value is not None and name not in self.refused}

    def send(self, attempt: Callable[[], Reply]) -> Reply:
        """Run `attempt` again for as long as the model refuses an option that the next attempt leaves out."""
        while True:
            try:
                return attempt()
            except Exception as error:
                if not self._learn(error):
                    raise

    def _learn(self, error: Exception) -> bool:
        failure = model_error(error)
        message = str(error)
        if failure.failure != Failure.BAD_REQUEST or not _UNSUPPORTED.search(message):
            return False
        named = [name for name in self._names if name in message and name not in self.refused]
        self.refused.update(named[:1])
        return bool(named)
