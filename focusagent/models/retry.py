"""The one retry layer: which attempt waits how long."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from focusagent.models.failure import ConfigError, ModelError, model_error
from focusagent.models.request import Usage

WAIT_VARIABLE = "FOCUSAGENT_RETRY_WAIT"
T = TypeVar("T")


@dataclass(frozen=True)
class RetryPolicy:
    """At most `attempts` in all. Waits double from `first_wait` to `longest_wait` seconds; a provider's `Retry-After`
    is obeyed up to `longest_wait`."""

    attempts: int = 4
    first_wait: float = 2.0
    longest_wait: float = 60.0

    @classmethod
    def from_environment(cls) -> RetryPolicy:
        """FOCUSAGENT_RETRY_WAIT is the first wait in seconds; 0 means that no attempt waits, whatever a provider says.
        Raises ConfigError where it is no number."""
        wait = os.environ.get(WAIT_VARIABLE)
        if not wait:
            return cls()
        try:
            first = max(0.0, float(wait))
        except ValueError as error:
            raise ConfigError(f"{WAIT_VARIABLE} is no number of seconds: {wait!r}") from error
        return cls(first_wait=first, longest_wait=cls.longest_wait if first > 0 else 0.0)

    def wait(self, retry: int, error: ModelError) -> float:
        """Seconds before retry number `retry` (from 0)."""
        if error.retry_after is not None:
            return min(error.retry_after, self.longest_wait)
        return min(self.first_wait * 2.0**retry * random.uniform(0.75, 1.25), self.longest_wait)


@dataclass
class Attempts:
    """How many requests a call took beside its last one (`retries`), and what their replies have used."""

    retries: int = 0
    waited: int = 0
    used: list[Usage] = field(default_factory=list)

    def run(self, attempt: Callable[[], T], policy: RetryPolicy) -> T:
        """The result of the first attempt that succeeds. Raises ModelError: at once for what no retry mends."""
        while True:
            try:
                return attempt()
            except Exception as raised:
                error = model_error(raised)
                if error.usage is not None:
                    self.used.append(error.usage)
                if not error.passing or self.waited + 1 >= policy.attempts:
                    raise error from raised
                time.sleep(policy.wait(self.waited, error))
                self.waited += 1
                self.retries += 1
