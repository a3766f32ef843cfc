"""What the history of an agent costs by what it keeps of past pages: all of them, none, or what each action changed.

    python experiments/history_diff_tokens.py RUNS.jsonl[.gz] [--retriever all]

Runs as in signals_real_runs.py. Tokens are o200k, of the history section alone, as AgentLab's prompt renders it
(thoughts are not recorded and left out): `full` adds the page that each action was taken on, as the retriever prunes
it; `masked` is GenericAgent's own; `diff` adds the text of agents/history_diff."""

from __future__ import annotations

import argparse
import statistics
from pathlib import Path

from signals_real_runs import chains, read

from focusagent.agents.history_diff import HistoryDiff
from focusagent.focuser import Focuser
from focusagent.models.tokens import count_tokens
from focusagent.observation import drop_inline_text_boxes
from focusagent.retrieval import make_retriever


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=Path)
    parser.add_argument("--retriever", default="all")
    args = parser.parse_args()
    focuser = Focuser(make_retriever(args.retriever), simplify=args.retriever != "all")
    by_kind: dict[str, list[int]] = {"full": [], "masked": [], "diff": []}
    for chain in chains(read(args.runs)):
        spent = dict.fromkeys(by_kind, 0)
        notes, changed = HistoryDiff(), 0
        for number, step in enumerate(chain):
            focused = focuser.focus(drop_inline_text_boxes(step["axtree"]), step["goal"])
            changed = count_tokens(f"\n<memory>\n{notes.note(focused)}\n</memory>\n") if number else 0
            spent["diff"] += changed
            if number:
                for kind, tokens in spent.items():
                    by_kind[kind].append(tokens)
            action = count_tokens(f"## step {number}\n<action>\n{step['action'] or ''}\n</action>\n")
            for kind in spent:
                spent[kind] += action
            spent["full"] += focused.tokens_pruned
    print(f"{args.retriever}: history tokens at {len(by_kind['masked'])} steps that have one")
    print(f"{'':8} {'mean':>9} {'median':>9} {'largest':>9}")
    for kind, counts in by_kind.items():
        print(f"{kind:8} {statistics.mean(counts):9.0f} {statistics.median(counts):9.0f} {max(counts):9}")


if __name__ == "__main__":
    main()
