"""What a user can mend, in one line."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class UserError(Exception):
    """A failure that the command line explains in a line; `exit_code` 1 for a failure, 2 for wrong use."""

    def __init__(self, message: str, exit_code: int = 1) -> None:
        super().__init__(" ".join(message.split()))
        self.exit_code = exit_code


def nearest(word: object, known: Iterable[str]) -> str:
    """A hint for a misspelt word: the known one that it resembles, else all of them."""
    names = list(known)
    near = difflib.get_close_matches(str(word), names, n=1, cutoff=0.5)
    return f"did you mean {near[0]!r}?" if near else f"known: {', '.join(names)}"


class BadSetting(UserError, ValueError):
    """A setting that can never work; exit code 2."""

    def __init__(self, message: str) -> None:
        super().__init__(message, 2)
