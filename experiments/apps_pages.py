"""The table of tasks in docs/apps.md: plays each with its policy, counts the pages' tokens and times the resets.

Run `python experiments/apps_pages.py [PATTERN]` after `focusagent apps install`. Exit code 1 when a task fails."""

from __future__ import annotations

import sys
import time
from fnmatch import fnmatch
from statistics import median

from focusagent.apps import APPS, task_names
from focusagent.apps.benchmarks import max_steps, template_of
from focusagent.apps.task import running_copy, stop_copies
from focusagent.longpage.play import play
from focusagent.models.tokens import count_tokens

RESETS = 5


def main(pattern: str) -> int:
    names = [name for name in task_names() if fnmatch(str(name), pattern)]
    failed = 0
    try:
        for app in sorted({name.app for name in names}):
            print(f"{APPS[app].spec.title}: {_reset_seconds(app):.2f} s a reset, median of {RESETS}", flush=True)
        for name in names:
            steps = list(play(name, 0, max_steps(name)))
            failed += not steps or steps[-1].reward != 1
            tokens = ", ".join(f"{count_tokens(step.axtree):,}" for step in steps)
            template = template_of(name)
            goal = steps[0].goal if steps else ""
            print(f"| `{name}` | {template.kind} | {template.pages} | {goal} | {tokens} |", flush=True)
    finally:
        stop_copies()
    return 1 if failed else 0


def _reset_seconds(app: str) -> float:
    """After the first, which starts the application."""
    copy, seconds = running_copy(app), list[float]()
    copy.reset(0)
    for _ in range(RESETS):
        started = time.monotonic()
        copy.reset(0)
        seconds.append(time.monotonic() - started)
    return median(seconds)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "apps.*"))
