"""Choosing an issue that its title and its author name, and no other."""

from __future__ import annotations

import random
from collections import Counter

from focusagent.longpage.code.world import CodeState, Issue


def issue_named(state: CodeState, draw: random.Random) -> Issue:
    """An issue whose title and author together occur once; several may share either."""
    seen = Counter((issue.title, issue.author) for issue in state.issues.values())
    return draw.choice([issue for issue in state.issues.values() if seen[issue.title, issue.author] == 1])
