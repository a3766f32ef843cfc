"""How long the files and functions are: `python tools/lengths.py FOLDER...`; exit code 1 when one is over its limit."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

FILE_LIMIT, FUNCTION_LIMIT = 250, 60


@dataclass(frozen=True)
class Length:
    where: str
    lines: int
    limit: int
    typed: bool = True


def measure(path: Path) -> Iterator[Length]:
    """The file first, then each function in it, nested ones included."""
    source = path.read_text(encoding="utf-8")
    yield Length(str(path), source.count("\n"), FILE_LIMIT)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            where = f"{path}:{node.lineno} {node.name}"
            yield Length(where, lines, FUNCTION_LIMIT, typed=node.returns is not None)


def summary(kind: str, lengths: list[Length]) -> str:
    longest = max(lengths, key=lambda length: length.lines)
    middle = median(length.lines for length in lengths)
    return f"{len(lengths)} {kind}, median {middle:.0f} lines, longest {longest.lines} ({longest.where})"


def main(folders: list[str]) -> int:
    measured = [length for folder in folders for path in sorted(Path(folder).rglob("*.py")) for length in measure(path)]
    files = [length for length in measured if length.limit == FILE_LIMIT]
    functions = [length for length in measured if length.limit == FUNCTION_LIMIT]
    for kind, lengths in (("files", files), ("functions", functions)):
        if lengths:
            print(summary(kind, lengths))
    typed = sum(length.typed for length in functions)
    print(f"{typed} of {len(functions)} functions have a return type")
    too_long = [length for length in measured if length.lines > length.limit]
    for length in too_long:
        print(f"{length.where}: {length.lines} lines, limit {length.limit}")
    return 1 if too_long else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
