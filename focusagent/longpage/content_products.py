"""Names, reviews, questions and addresses of the shop, from the same writer as all other text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from focusagent.longpage.content import Writer, word_list


def product_line(writer: Writer, kind: str, category: str, brand: str) -> str:
    """One line of `products.json`'s kind (praise, blame, question) about something of that category and brand."""
    words: Mapping[str, Any] = word_list("products")
    goods, draw = words["categories"][category], writer.random
    slots = {
        "use": draw.choice(goods["uses"]),
        "fault": draw.choice(goods["faults"]),
        "other": draw.choice(goods["nouns"]).lower(),
        "colour": draw.choice(words["colours"]).lower(),
        "brand": brand,
        "n": str(draw.randint(2, 9)),
    }
    return re.sub(r"\{(\w+)\}", lambda match: slots[match[1]], draw.choice(words[kind]))


def address(writer: Writer) -> str:
    words = word_list("products")
    draw = writer.random
    street, town = draw.choice(words["streets"]), draw.choice(words["towns"])
    return f"{street} {draw.randint(1, 140)}, {draw.randint(10000, 99999)} {town}"


def day(writer: Writer, number: int) -> str:
    """A date in words; number 0 is the newest, each next one some days older."""
    months = "January February March April May June July August September October November December".split()
    when = 2025 * 360 + 300 - 9 * number - writer.random.randint(0, 8)
    return f"{when % 30 + 1} {months[when // 30 % 12]} {when // 360}"
