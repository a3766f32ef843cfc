"""How long a reset of LongPage takes, from `env.reset` to the first observation, browser and site started anew.

python experiments/longpage_resets.py [--tasks 'longpage.*.25k'] [--seeds 2]

A row a site: resets, tokens of the first page, seconds (median and longest), and the load of the machine meanwhile."""

from __future__ import annotations

import argparse
import os
import time
from fnmatch import fnmatch
from statistics import mean, median

import gymnasium

import focusagent.longpage  # noqa: F401  registers the tasks
from focusagent.longpage.names import TaskName
from focusagent.longpage.play import axtree_text
from focusagent.longpage.sites import SITES, task_names
from focusagent.models.tokens import count_tokens


def reset(name: TaskName, seed: int) -> tuple[float, int]:
    """Seconds of one reset, and the tokens of the page it ends on."""
    env = gymnasium.make(f"browsergym/{name}", headless=True, disable_env_checker=True)
    try:
        started = time.perf_counter()
        obs, _ = env.reset(seed=seed)
        return time.perf_counter() - started, count_tokens(axtree_text(obs))
    finally:
        env.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", default="longpage.*.25k")
    parser.add_argument("--seeds", type=int, default=1)
    args = parser.parse_args()
    names = [name for name in task_names() if fnmatch(str(name), args.tasks)]
    reset(names[0], 0)
    print("| site | resets | tokens, mean | seconds, median | longest |\n|---|---:|---:|---:|---:|")
    for site in SITES:
        taken = [reset(name, seed) for name in names if name.site == site for seed in range(args.seeds)]
        if taken:
            seconds = [one for one, _ in taken]
            tokens = mean(size for _, size in taken)
            print(f"| {site} | {len(taken)} | {tokens:,.0f} | {median(seconds):.1f} | {max(seconds):.1f} |", flush=True)
    print(f"\nload of the last minute: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")


if __name__ == "__main__":
    main()
