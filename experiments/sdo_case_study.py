"""The case study of arXiv 2606.06708: a purchase during which a cookie banner appears, observed in two ways.

    python experiments/sdo_case_study.py [--task longpage.shop.buy.8k.events] [--seed 0]

Prints both traces as Markdown: one looks at every step, the other when a signal fires. As in the paper the
banner comes late: not with the page but once the visitor has begun."""

from __future__ import annotations

import argparse
from dataclasses import replace
from unittest.mock import patch

from sdo_longpage import SETTINGS, Step, play

from focusagent.longpage import events
from focusagent.longpage.names import TaskName

COMPARED = ("focus, never", "sdo")


def late_banner() -> tuple[events.Notice, ...]:
    return tuple(replace(one, when="touch") if one.kind == "cookies" else one for one in events.NOTICES)


def trace(steps: list[Step]) -> None:
    print("| step | action | looked | retriever calls | tree tokens read | signals |")
    print("|---|---|---|---|---|---|")
    for step in steps:
        looked = "yes" if step.looked else "as planned"
        print(
            f"| {step.step} | `{step.action[:60]}` | {looked} | {step.calls} | {step.tree_tokens}"
            f" | {', '.join(step.signals) or '-'} |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--task", default="longpage.shop.buy.8k.events")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    for setting in SETTINGS:
        if setting.name in COMPARED:
            with patch.object(events, "NOTICES", late_banner()):
                steps = list(play(setting, TaskName.parse(args.task), args.seed, slip=0.0))
            calls, tokens = sum(step.calls for step in steps), sum(step.tree_tokens for step in steps)
            print(f"\n**{setting.name}**: reward {steps[-1].reward:.0f}, {len(steps)} steps, {calls} retriever calls,")
            print(f"{tokens} tokens of tree read, {sum(step.looked for step in steps)} calls of the backbone.\n")
            trace(steps)


if __name__ == "__main__":
    main()
