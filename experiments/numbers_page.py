"""docs/measured/published.md from the project's data of published figures: python experiments/numbers_page.py"""

from __future__ import annotations

from pathlib import Path

from focusagent.results.published import VERSIONS, Published, published

HERE = Path(__file__).parent
HEAD = """| table | benchmark | attack | backbone | agent | retriever's model | figure | value | remark |
|---|---|---|---|---|---|---|---|---|"""


def numbers_page() -> str:
    """Every figure with its table and version, as Markdown."""
    lines = [(HERE / "numbers_introduction.md").read_text("utf-8").rstrip()]
    for version, source in VERSIONS.items():
        lines += [f"\n## {version}: {source}\n", HEAD]
        lines += [_row(row) for row in published() if row.version == version]
    return "\n".join(lines) + "\n"


def _row(row: Published) -> str:
    cells = [row.table, row.benchmark, row.attack, row.backbone, row.agent, row.retriever_model]
    return "| " + " | ".join([*cells, row.figure, row.text, row.remark]) + " |"


if __name__ == "__main__":
    (HERE.parent / "docs" / "measured" / "published.md").write_text(numbers_page(), encoding="utf-8")
