"""Choosing what a task is about so that the goal names it and only it."""

from __future__ import annotations

import random
from collections import Counter

from focusagent.longpage.forum.world import Comment, Thread


def quoted_comment(thread: Thread, draw: random.Random) -> tuple[Comment, str]:
    """A comment that the user has not touched, and its first sentence, which no other comment holds. Where there are
    such, one whose author has written more than one."""
    comments = thread.flat
    wrote = Counter(comment.author for comment in comments)
    candidates = [(c, first_sentence(c)) for c in comments]
    said = Counter(text for c in comments for text in {first_sentence(c)})
    whole = "\n".join("\n".join(c.text) for c in comments)
    fit = [(c, quote) for c, quote in candidates if said[quote] == 1 and whole.count(quote) == 1]
    return draw.choice([pair for pair in fit if wrote[pair[0].author] > 1] or fit)


def first_sentence(comment: Comment) -> str:
    text = comment.text[0]
    ends = [text.index(mark) + 1 for mark in (". ", "? ", "! ") if mark in text]
    return text[: min(ends, default=len(text))].rstrip(".").replace('"', "'")
