"""What a user can mend, in one line."""

from __future__ import annotations


class UserError(Exception):
    """A failure that the command line explains in a line; `exit_code` 1 for a failure, 2 for wrong use."""

    def __init__(self, message: str, exit_code: int = 1) -> None:
        super().__init__(" ".join(message.split()))
        self.exit_code = exit_code
