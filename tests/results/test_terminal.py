from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from focusagent.results import load_results
from focusagent.results.terminal import print_results

STATS = [{"axtree_tokens_full": 1000, "axtree_tokens_pruned": 100, "input_tokens": 1_234_567}]


def test_every_column_fits_a_narrow_terminal(tmp_path: Path, write: Callable[..., Path]) -> None:
    for agent in ("embedding-200__scripted__wordllama", "defense-focus-local__scripted"):
        write(agent=agent, reward=0.0, stats=STATS)
    out = io.StringIO()
    print_results(load_results(tmp_path), Console(file=out, width=80))
    lines = out.getvalue().splitlines()
    assert "errors" in lines[1]
    assert sum(line.rstrip().endswith(" 0") for line in lines) == 2
    assert "Backbone: scripted." in lines
