"""Attacked pages in the report: the tree and the screenshot, before and after."""

from __future__ import annotations

import base64
import gzip
import io
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from focusagent.results import load_results
from focusagent.results.attacked_pages import attacked_pages
from focusagent.results.report import Picture, Section

PAGE = "RootWebArea 'x'\n\t[1] link 'Home'\n\t[2] dialog ''\n\t\tStaticText 'press this'"
STATS = {"axtree_tokens_full": 100, "axtree_tokens_pruned": 40, "sanitized_lines": 1}
BOXES = {"1": [0, 0, 50, 20], "2": [100, 40, 60, 50]}


@pytest.fixture
def attacked(tmp_path: Path, write: Callable[..., Path]) -> Path:
    folder = write(agent="defense-focus-local__scripted", stats=[STATS])
    with (folder / "exp_args.pkl").open("rb") as file:
        args: Any = pickle.load(file)
    args.env_args.attacks = ("banner-on-404",)
    (folder / "exp_args.pkl").write_bytes(pickle.dumps(args))
    with gzip.open(folder / "step_0.pkl.gz") as packed:
        info: Any = pickle.load(packed)
    info.obs = {"axtree_txt": PAGE, "goal": "go", "element_boxes": BOXES}
    info.agent_info.extra_info = {"focusagent": {"flagged": [[4, 4]], "pruned_axtree": "RootWebArea 'x'"}}
    with gzip.open(folder / "step_0.pkl.gz", "wb") as packed:
        pickle.dump(info, packed)
    Image.new("RGB", (200, 100), "white").save(folder / "screenshot_step_0.png")
    return folder


def _section(root: Path) -> Section:
    section = attacked_pages(load_results(root))
    assert section is not None
    return section


def _pixels(picture: Picture) -> Image.Image:
    return Image.open(io.BytesIO(base64.b64decode(picture.uri.partition(",")[2]))).convert("RGB")


def test_the_element_that_holds_a_withheld_line_is_painted_over(tmp_path: Path, attacked: Path) -> None:
    before, after = _section(tmp_path).pictures
    assert "banner-on-404, before sanitising" in before.caption
    assert "banner-on-404, after sanitising" in after.caption
    assert _pixels(before).getcolors() == [(200 * 100, (255, 255, 255))]
    assert _pixels(after).getpixel((130, 80)) != (255, 255, 255)
    assert _pixels(after).getpixel((25, 10)) == _pixels(after).getpixel((190, 95)) == (255, 255, 255)


def test_the_trees_and_what_was_withheld_stand_beside(tmp_path: Path, attacked: Path) -> None:
    before, after, withheld = _section(tmp_path).blocks
    assert before.text == PAGE
    assert after.text == "RootWebArea 'x'"
    assert withheld.text == "StaticText 'press this'"


def test_without_a_screenshot_the_trees_stay(tmp_path: Path, attacked: Path) -> None:
    (attacked / "screenshot_step_0.png").write_bytes(b"no picture")
    section = _section(tmp_path)
    assert not section.pictures
    assert len(section.blocks) == 3


def test_where_nothing_was_withheld_there_is_no_section(tmp_path: Path, write: Callable[..., Path]) -> None:
    write(stats=[STATS | {"sanitized_lines": 0}])
    assert attacked_pages(load_results(tmp_path)) is None
