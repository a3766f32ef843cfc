"""The case study of arXiv 2606.06708: a purchase during which a cookie banner appears, observed in two ways.

    python experiments/sdo_case_study.py [--task longpage.shop.buy.8k.events] [--seed 0]

Prints both traces as Markdown: one that looks at every step, and one that looks when a signal fires."""

from __future__ import annotations

import argparse

from sdo_longpage import SETTINGS, Step, play

from focusagent.longpage.names import TaskName

COMPARED = ("focus, never", "sdo")


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
            steps = list(play(setting, TaskName.parse(args.task), args.seed, slip=0.0))
            calls, tokens = sum(step.calls for step in steps), sum(step.tree_tokens for step in steps)
            print(f"\n**{setting.name}**: reward {steps[-1].reward:.0f}, {len(steps)} steps, {calls} retriever calls,")
            print(f"{tokens} tokens of tree read, {sum(step.looked for step in steps)} calls of the backbone.\n")
            trace(steps)


if __name__ == "__main__":
    main()
