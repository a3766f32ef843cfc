"""Page text as a prompt may hold it: no tag of ours, no line break inside a line, nothing that does not encode."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Sequence

from focusagent.axtree import AxTree
from focusagent.models.tokens import count_lines, count_tokens

_TAG = re.compile(r"<(?=[/!?|A-Za-z])")
_DEEPEST = 40
_TOO_DEEP = "\t" * (_DEEPEST + 1)
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f\x85\u2028\u2029]")


def printable(text: str) -> str:
    """The text without lone surrogates and control characters (tab and line feed stay)."""
    return _CONTROL.sub("\ufffd", text.encode("utf-8", "replace").decode())


def neutral(text: str) -> str:
    """Printable text in which nothing opens a tag: `</answer>` reads `‹/answer>`. Line feeds stay."""
    return _TAG.sub("‹", printable(text))


def inline(text: str, limit: int) -> str:
    """Neutral text on one line of at most `limit` characters and a mark of what is gone."""
    flat = " ".join(neutral(text[: 4 * limit]).split())
    return flat if len(flat) <= limit else f"{flat[:limit]}… (+{len(text) - limit} characters)"


def numbered_lines(tree: AxTree, compact: bool = False) -> list[str]:
    """Each line of the tree as the prompt shows it: its number, a colon, its neutral text with its indentation, which
    no longer grows beyond 40 levels. `compact` drops the colon and indents by one space a level, which costs 2 to 5 %
    of the page's tokens instead of 14 to 20 %."""
    lines = neutral("\n".join(_level(line.text.replace("\n", " ")) for line in tree.lines)).split("\n")
    if not compact:
        return [f"{number}: {text}" for number, text in enumerate(lines, 1)]
    return [f"{number} {_spaced(text)}" for number, text in enumerate(lines, 1)]


def _spaced(text: str) -> str:
    """Tabs in front as spaces."""
    bare = text.lstrip("\t")
    return " " * (len(text) - len(bare)) + bare


def _level(text: str) -> str:
    return "\t" * _DEEPEST + text.lstrip("\t") if text.startswith(_TOO_DEEP) else text


def fit_lines(lines: Sequence[str], max_tokens: int) -> tuple[list[str], list[int]]:
    """The lines and the tokens of each with its line feed; one of over `max_tokens` is cut, with a mark that says by
    how much. Linear in the text."""
    fitted, costs = list(lines), count_lines(lines)
    for index, cost in enumerate(costs):
        if cost > max_tokens:
            fitted[index], costs[index] = _cut(lines[index], cost, max_tokens)
    return fitted, costs


def _cut(line: str, cost: int, max_tokens: int) -> tuple[str, int]:
    length = len(line)
    text = line
    while cost > max_tokens and length > 1:
        length = max(1, min(length - 1, int(length * max_tokens / cost * 0.9) - 30))
        text = f"{line[:length]}… (+{len(line) - length} characters)"
        cost = count_tokens(f"{text}\n")
    return text, cost


def new_secret() -> str:
    """What the fences of one episode are made of: no page can know it, and a provider's cache finds the same prefix at
    every step."""
    return secrets.token_hex(8)


def fence_for(page: str, goal: str, secret: str = "") -> str:
    """A line that the page does not hold. Made of `secret` where there is one; else it hashes page and goal, so that a
    page would have to contain a hash of itself, and the same prompt can be kept and compared."""
    digest = secret or hashlib.sha256(f"{goal}\0{page}".encode("utf-8", "replace")).hexdigest()[:16]
    while digest in page:
        digest = hashlib.sha256(digest.encode()).hexdigest()[:16]
    return f"=== page {digest} ==="
