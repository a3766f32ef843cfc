"""Attacked pages before and after sanitising, as trees and as screenshots (Figures 18 to 23 of the paper).

An agent of ours sees no picture. The screenshot after sanitising is the recorded one with the elements painted over
whose lines were withheld: what a reader of the sanitised tree no longer learns, and where it stood."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from focusagent.axtree import AxTree
from focusagent.results.frames import Results
from focusagent.results.recorded import RecordedStep, steps_by
from focusagent.results.report import Block, Picture, Section, cut, picture
from focusagent.results.table import file_name

WIDTH = 800
BACKDROP = 0.6
TITLE = "Attacked pages, before and after sanitising"
LINES = (
    "One step an attack, the one with the most lines withheld. Attacks named after a page (404, image) replace the page"
    " by a missing or an empty one. Screenshots after sanitising are the recorded ones with withheld elements painted"
    " over.",
)
Box = tuple[float, float, float, float]


def attacked_pages(results: Results) -> Section | None:
    """One step an attack; None where nothing was withheld under any."""
    flagged = results.steps.get("sanitized_lines")
    if flagged is None:
        return None
    attacks = dict(zip(results.episodes["id"], results.episodes["attacks"], strict=True))
    blocks, pictures = list[Block](), list[Picture]()
    for attack in sorted(set(attacks.values()) - {""}):
        mask = (flagged > 0) & (results.steps["id"].map(attacks) == attack)
        step = next(steps_by(results, mask, "sanitized_lines"), None)
        if step is not None:
            blocks += _trees(attack, step)
            pictures += _screenshots(attack, step)
    return Section("examples-attacks", TITLE, LINES, pictures=tuple(pictures), blocks=tuple(blocks)) if blocks else None


def _trees(attack: str, step: RecordedStep) -> Iterator[Block]:
    tree = AxTree.parse(step.page)
    withheld = "\n".join(tree.line(number).text.strip() for number in step.ranges("flagged").clip(len(tree)))
    yield Block(f"{attack}: the tree before, {step.title}", cut(step.page))
    yield Block(f"{attack}: the tree after, as the backbone saw it", cut(step.text("pruned_axtree")))
    yield Block(f"{attack}: what was withheld", cut(withheld))


def _screenshots(attack: str, step: RecordedStep) -> Iterator[Picture]:
    if not step.screenshot.is_file():
        return
    boxes = list(_boxes(step))
    for when, painted in (("before", []), ("after", boxes)):
        png = _painted(step.screenshot, painted)
        if png is not None:
            title = f"{attack}, {when} sanitising: {step.title}"
            yield picture(file_name(f"attack-{attack}-{when}"), title, png, caption=title)


def _boxes(step: RecordedStep) -> Iterator[Box]:
    """Where the withheld lines stand on the screen: their own element's box or the nearest enclosing one's."""
    tree = AxTree.parse(step.page)
    for number in step.ranges("flagged").clip(len(tree)):
        lines = [tree.line(number), *(tree.line(above) for above in tree.ancestors(number))]
        box = next(filter(None, (_box(step.boxes.get(line.bid)) for line in lines if line.bid)), None)
        if box is not None:
            yield box


def _box(recorded: Any) -> Box | None:
    """(left, top, right, bottom); None where nothing of the kind is recorded."""
    if not isinstance(recorded, list | tuple) or len(recorded) != 4 or not all(map(_is_number, recorded)):
        return None
    left, top, width, height = map(float, recorded)
    return (left, top, left + width, top + height)


def _without_backdrops(boxes: list[Box], screen: int) -> list[Box]:
    """A dialog's backdrop spans the screen and would hide what is left of the page; its contents have own boxes."""
    small = [box for box in boxes if (box[2] - box[0]) * (box[3] - box[1]) <= BACKDROP * screen]
    return small or boxes


def _is_number(value: object) -> bool:
    return isinstance(value, int | float)


def _painted(screenshot: Path, boxes: list[Box]) -> bytes | None:
    """The picture as a small PNG; None where it cannot be read."""
    from PIL import Image, ImageDraw, UnidentifiedImageError

    try:
        with Image.open(screenshot) as opened:
            image = opened.convert("RGB")
    except (OSError, UnidentifiedImageError):
        return None
    draw = ImageDraw.Draw(image)
    for left, top, right, bottom in _without_backdrops(boxes, image.width * image.height):
        draw.rectangle((left, top, right, bottom), fill="#3a1d1b", outline="#c0392b", width=3)
        draw.text((left + 6, top + 4), "withheld", fill="#ffffff")
    image.thumbnail((WIDTH, WIDTH))
    out = io.BytesIO()
    image.quantize(128).save(out, format="PNG", optimize=True)
    return out.getvalue()
