"""Reading the sub-call's list of elements: line, bid, purpose. What is not on the page is rejected."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field

from focusagent.axtree import AxTree
from focusagent.retrieval.llm.answers import split_reasoning

MAX_ANSWER = 100_000
_LIST = re.compile(r"<elements>(.*?)(?:</elements>|\Z)", re.DOTALL | re.IGNORECASE)
_ELEMENT = re.compile(r"^[\s*•-]{0,4}(?:line )?(\d{1,7})?\s*(?:\[([A-Za-z0-9]+)\])?\s*(?:[:|–-]\s*)?(.*)$")


@dataclass
class Elements:
    """`purposes`: line number -> purpose; `rejected` are entries that name nothing on the page; `found` tells an empty
    list from an answer without one."""

    purposes: dict[int, str] = field(default_factory=dict)
    rejected: list[str] = field(default_factory=list)
    found: bool = False


def read_elements(answer: str, tree: AxTree, shown: Collection[int]) -> Elements:
    """The last list outside the model's reasoning. A bid decides over the number before it, since it is what will be
    acted on; entries whose bid or line is not among the lines `shown` are rejected. Never raises."""
    visible, _ = split_reasoning(answer[-MAX_ANSWER:])
    lists = _LIST.findall(visible)
    elements = Elements(found=bool(lists))
    for entry in lists[-1].split("\n") if lists else ():
        match = _ELEMENT.match(entry.strip())
        if match is None or not (match[1] or match[2]):
            continue
        number = tree.by_bid.get(match[2], 0) if match[2] else int(match[1])
        if number in shown:
            elements.purposes.setdefault(number, match[3].strip())
        else:
            elements.rejected.append(entry.strip()[:80])
    return elements
