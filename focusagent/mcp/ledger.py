"""What the proxy did with each answer: one JSON line each, and one line at the end."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TextIO

from focusagent.errors import UserError


@dataclass(frozen=True)
class Entry:
    """One answer. Tokens are `o200k_base` tokens of its text."""

    tool: str = ""
    kind: str = "other"
    """page, changes, linked, own, other, withheld or refused."""
    before: int = 0
    after: int = 0
    ms: float = 0.0
    fallback: str | None = None
    """Why a page was passed on as it came, or withheld; None where nothing failed."""


class Ledger:
    """Sums, and a log where one is asked for. Raises UserError for a file that cannot be written."""

    def __init__(self, log: Path | None = None) -> None:
        self.total = Entry()
        self.answers = self.pages = self.fallbacks = 0
        try:
            self._file: TextIO | None = log.open("a", encoding="utf-8") if log else None
        except OSError as error:
            raise UserError(f"cannot write {log}: {error.strerror or error}", 2) from error

    def add(self, entry: Entry) -> None:
        self.answers += 1
        self.pages += entry.kind in ("page", "changes", "linked")
        self.fallbacks += entry.fallback is not None
        before, after = self.total.before + entry.before, self.total.after + entry.after
        self.total = replace(self.total, before=before, after=after, ms=self.total.ms + entry.ms)
        if self._file:
            self._file.write(json.dumps(asdict(entry)) + "\n")
            self._file.flush()

    def summary(self) -> str:
        saved = self.total.before - self.total.after
        share = f" ({saved / self.total.before:.0%})" if self.total.before else ""
        mean = self.total.ms / self.pages if self.pages else 0.0
        return (
            f"{self.answers} answers, {self.pages} with a page: {saved:,} of {self.total.before:,} tokens saved{share},"
            f" {mean:.0f} ms a page, {self.fallbacks} fallbacks"
        )
