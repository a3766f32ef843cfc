"""What a user can set about the proxy."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from focusagent.errors import UserError
from focusagent.security.origins import Origin, origin_of


@dataclass(frozen=True)
class Settings:
    """Raises UserError for values that can never work."""

    goal: str = ""
    """What pages are focused on until the client says `looking_for`; "" simplifies them only."""
    share: float | None = None
    """Which part of a page's tokens may stay; None takes the retriever's own budget."""
    lean: bool = False
    """Take the smaller of the two budgets."""
    defense: bool = False
    """Withhold injected text and whatever cannot be vetted."""
    allow_origins: tuple[str, ...] = ()
    """Sites that the client's calls may name as `url`; () allows all."""
    log: Path | None = None
    """A file that gets one JSON line an answer."""
    inline: bool = True
    """Show the page beside a link to a snapshot file."""

    def __post_init__(self) -> None:
        if self.share is not None and not 0 < self.share <= 1:
            raise UserError(f"--share must lie in 0..1, not {self.share}", 2)
        if self.share is not None and self.lean:
            raise UserError("--share and --lean exclude each other", 2)
        for text in self.allow_origins:
            if origin_of(text) is None:
                raise UserError(f"--allow-origins: {text!r} is no origin, like https://example.org", 2)

    def allows(self, url: str) -> bool:
        """Whether a call may name this address. What has no origin (about:blank, a file) is allowed only to all."""
        if not self.allow_origins:
            return True
        there = origin_of(url)
        return there is not None and any(_same_site(text, there) for text in self.allow_origins)


def _same_site(allowed: str, there: Origin) -> bool:
    site = origin_of(allowed)
    return site is not None and site.is_site(there)
