"""`focusagent report`: tables as CSV and Markdown, figures as PNG, SVG and CSV, and a page with all of it."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

from focusagent.folders import out_folder
from focusagent.results.drawing import Figure
from focusagent.results.figures import make_figures
from focusagent.results.frames import Results, load_results
from focusagent.results.paper_tables import paper_tables
from focusagent.results.table import Table, cell_text
from focusagent.results.tables import SCRIPTED_NOTE, measured_tables
from focusagent.results.terminal import remarks

MAX_REMARKS = 200
MAX_CHARACTERS = 12_000


@dataclass(frozen=True)
class Picture:
    """`caption` stands below it, where the picture does not hold its title itself."""

    name: str
    title: str
    uri: str
    caption: str = ""


@dataclass(frozen=True)
class Block:
    """Text of a page, a prompt or an answer, shown as it is."""

    title: str
    text: str


@dataclass(frozen=True)
class Section:
    """A part of the page; `id` is its anchor."""

    id: str
    title: str
    lines: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    pictures: tuple[Picture, ...] = ()
    blocks: tuple[Block, ...] = field(default=())


@dataclass(frozen=True)
class Report:
    """Where everything was written."""

    folder: Path
    page: Path
    episodes: int
    tables: int
    figures: int
    left_out: int


def write_report(source: Path, out: Path | None = None, sections: Sequence[Section] = ()) -> Report:
    """The report on all results below `source`, in `out` (default: `report` in `source`). `sections` are added.

    Raises NotADirectoryError where `source` is no folder; damaged or missing results are said in the report."""
    results = load_results(source)
    folder = out_folder(out or source / "report")
    measured, published = list(measured_tables(results)), paper_tables(results)
    figures = list(make_figures(results))
    measured += [figure.table for figure in figures if figure.table is not None]
    for table in (*measured, *published):
        (folder / f"{table.name}.csv").write_text(table.csv(), encoding="utf-8")
    tables = "\n\n".join(table.markdown() for table in (*measured, *published))
    (folder / "tables.md").write_text(tables, encoding="utf-8")
    for figure in figures:
        figure.write(folder)
    parts = [_data_section(results), *_measured_sections(measured, figures), *sections, _published_section(published)]
    page = folder / "report.html"
    page.write_text(render(f"Results of {source.resolve().name}", _about(results), parts), encoding="utf-8")
    return Report(
        folder, page, len(results.episodes), len(measured) + len(published), len(figures), len(results.left_out)
    )


def render(title: str, about: str, sections: Sequence[Section]) -> str:
    """The page: no network, every text escaped."""
    from jinja2 import Environment, StrictUndefined

    templates = files("focusagent.results").joinpath("templates")
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    template = environment.from_string(templates.joinpath("report.html.j2").read_text("utf-8"))
    css, js = (templates.joinpath(f"report.{kind}").read_text("utf-8") for kind in ("css", "js"))
    text: str = template.render(title=title, about=about, sections=sections, css=css, js=js, cell_text=cell_text)
    return text.encode("utf-8", "replace").decode()


def cut(text: str) -> str:
    """Bounded, and what is gone is said."""
    if len(text) <= MAX_CHARACTERS:
        return text
    return f"{text[:MAX_CHARACTERS]}\n[{len(text) - MAX_CHARACTERS:,} characters more]"


def picture(name: str, title: str, png: bytes, caption: str = "") -> Picture:
    return Picture(name, title, f"data:image/png;base64,{base64.b64encode(png).decode()}", caption)


def _about(results: Results) -> str:
    episodes, steps = len(results.episodes), int((results.steps["asked"] == 1).sum())
    agents, studies = results.episodes["agent"].nunique(), results.episodes["study"].nunique()
    counts = {"episode": episodes, "agent": agents, "study": studies, "step": steps}
    said = [f"{count:,} {_plural(name) if count != 1 else name}" for name, count in counts.items()]
    return f"{said[0]} of {said[1]} in {said[2]}, {said[3]}."


def _plural(name: str) -> str:
    return f"{name[:-1]}ies" if name.endswith("y") else f"{name}s"


def _data_section(results: Results) -> Section:
    lines = remarks(results)
    more = [f"... and {len(lines) - MAX_REMARKS} more"] if len(lines) > MAX_REMARKS else []
    told = (*lines[:MAX_REMARKS], *more) if lines else ("Every episode was read whole; nothing is left out.",)
    return Section("data", "What these figures rest on", told)


def _measured_sections(tables: Sequence[Table], figures: Sequence[Figure]) -> list[Section]:
    """One section a benchmark and kind of backbone, tables before figures."""
    groups: dict[str, tuple[list[Table], list[Picture]]] = {}
    for table in tables:
        groups.setdefault(table.group, ([], []))[0].append(table)
    for figure in figures:
        groups.setdefault(figure.group, ([], []))[1].append(picture(figure.name, figure.title, figure.png))
    return [
        Section(f"measured-{index}", group, _said_once(listed), tuple(listed), tuple(pictures))
        for index, (group, (listed, pictures)) in enumerate(groups.items())
    ]


def _said_once(tables: Sequence[Table]) -> tuple[str, ...]:
    """What would stand below every table of a section stands at its head."""
    return (SCRIPTED_NOTE,) if any(SCRIPTED_NOTE in table.notes for table in tables) else ()


def _published_section(tables: Sequence[Table]) -> Section:
    lines = ("The papers' tables beside what language models reached here; scripted backbones are never in them.",)
    return Section("published", "Published figures", lines, tuple(tables))
