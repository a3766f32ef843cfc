"""A comparison of retrievers on the same steps, and the files that tell of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from focusagent.coverage.contenders import Contender, along_the_knob
from focusagent.coverage.measure import measure
from focusagent.coverage.plot import draw
from focusagent.coverage.step import Step
from focusagent.coverage.summary import Summary, by_group, summarise
from focusagent.coverage.tables import to_csv, to_markdown
from focusagent.errors import UserError
from focusagent.extras import installed


class Comparison:
    """Measures each contender once, when its figures are first asked for."""

    def __init__(self, steps: Sequence[Step], contenders: Sequence[Contender], max_cost: float | None = None) -> None:
        self.steps = steps
        self.contenders = contenders
        self.max_cost = max_cost

    @cached_property
    def summaries(self) -> list[Summary]:
        """Each contender on all steps and on each group of them."""
        return [
            row
            for contender in self.contenders
            for row in by_group(contender.name, measure(self.steps, contender, self.max_cost))
        ]

    @property
    def overall(self) -> list[Summary]:
        return [row for row in self.summaries if row.group == "all"]

    def curves(self) -> dict[str, list[Summary]]:
        """Family -> its points: the contenders themselves, and those along their knobs."""
        points: dict[str, list[Summary]] = {}
        for contender, row in zip(self.contenders, self.overall, strict=True):
            points.setdefault(contender.family, []).append(row)
        for contender in along_the_knob(self.contenders):
            points[contender.family].append(summarise(contender.name, measure(self.steps, contender)))
        return points

    def write(self, folder: Path) -> None:
        """coverage.csv, coverage.md, and where matplotlib is installed coverage.png and coverage.svg.

        Raises UserError where they cannot be written."""
        summaries = self.summaries
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "coverage.csv").write_text(to_csv(summaries), encoding="utf-8")
            (folder / "coverage.md").write_text(to_markdown(summaries), encoding="utf-8")
            if installed("matplotlib"):
                draw(self.curves(), folder)
        except OSError as error:
            raise UserError(f"cannot write to {folder}: {error.strerror or error}") from error
