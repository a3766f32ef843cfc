"""`focusagent study`: say what it costs, check what it needs, run it, resume it."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from rich.console import Console

from focusagent.errors import UserError
from focusagent.folders import default_root
from focusagent.printing import show, tell
from focusagent.results.frames import load_results
from focusagent.results.ledger import Ledger
from focusagent.results.terminal import print_results
from focusagent.studies.basis import assumption_lines
from focusagent.studies.config import load_config
from focusagent.studies.estimates import display, estimate
from focusagent.studies.folders import new_folder
from focusagent.studies.plan import Plan, make_plan
from focusagent.studies.preflight import lacks
from focusagent.studies.progress import live_progress
from focusagent.studies.resume import COPY, check_same, essence, known_seeds, save_seeds, sole_writer
from focusagent.studies.running import build_study, quiet, run_study


@dataclass(frozen=True)
class Options:
    """What the command line adds to a configuration."""

    jobs: int | None = None
    backend: str | None = None
    ray_address: str = ""
    dry_run: bool = False
    resume: Path | None = None
    max_cost: float | None = None


def run_config(path: Path, options: Options, console: Console) -> int:
    """Exit code 0 when every episode ended, 1 when some did not, 130 after Ctrl-C. Raises UserError, before anything
    starts, for what can be known to fail."""
    config = load_config(path).with_options(options.jobs, "ray" if options.ray_address else options.backend)
    if options.resume is not None:
        check_same(config, options.resume)
    os.environ.setdefault("AGENTLAB_EXP_ROOT", str(default_root()))
    with console.status("Planning"), quiet():
        plan = make_plan(config, known_seeds(options.resume) if options.resume else None)
        estimates = estimate(plan)
    if options.dry_run:
        _show(plan, estimates, console)
        return 0
    if options.max_cost is not None and any(math.isnan(row.bill.cost) for row in estimates):
        unknown = ", ".join(row.agent for row in estimates if math.isnan(row.bill.cost))
        raise UserError(f"--max-cost cannot be held: the price of {unknown} is unknown", exit_code=2)
    if missing := lacks(plan):
        for line in missing:
            tell(console, f"missing: {line}")
        raise UserError(f"{len(missing)} things are missing; nothing was started")
    return _run(plan, options, console)


def _show(plan: Plan, estimates: list[Any], console: Console) -> None:
    for attack, count in plan.episodes_an_agent.items():
        under = "" if attack == "none" else f" under {attack}"
        tell(console, f"{plan.config.name}: {count} episodes an agent{under}")
    tell(console, f"{plan.total} episodes in all, {len(plan.agents)} agents")
    show(console, display(estimates))
    for row in estimates:
        if row.warning:
            tell(console, f"warning: {row.warning}")
    known = [row.bill.cost for row in estimates if not math.isnan(row.bill.cost)]
    unknown = len(estimates) - len(known)
    more = f", and {unknown} agents whose price is unknown" if unknown else ""
    tell(console, f"Together: ${sum(known):,.2f}{more}")
    tell(console, "Assumptions:")
    for line in assumption_lines(plan):
        tell(console, f"  {line}")
    for line in lacks(plan):
        tell(console, f"missing: {line}")


def _run(plan: Plan, options: Options, console: Console) -> int:
    folder = options.resume or new_folder(default_root(), f"{datetime.now():%Y-%m-%d_%H-%M-%S}_{plan.config.name}")
    tell(console, f"Results: {folder}")
    with sole_writer(folder):
        (folder / COPY).write_text(essence(plan.config), encoding="utf-8")
        save_seeds(folder, plan.plain)
        reason, stopped = _run_all(plan, options, folder, console)
    results = load_results(folder)
    print_results(results, console)
    done = int((results.episodes["status"] == "done").sum())
    if reason:
        tell(console, f"Stopped: {reason}.")
    if done < plan.total:
        tell(console, f"{plan.total - done} of {plan.total} episodes are not done. Go on: --resume {folder}")
    tell(console, f"Tables and figures: focusagent report {folder}")
    return 130 if stopped else int(done < plan.total)


def _run_all(plan: Plan, options: Options, folder: Path, console: Console) -> tuple[str, bool]:
    """Every study of the plan. Returns why it stopped early, and whether it was interrupted."""
    ledger = Ledger(folder)
    ledger.catch_up()
    reason = ""
    try:
        with quiet():
            studies = _studies(plan, folder)
        with live_progress(ledger, plan.total, console):
            for study in studies:
                reason = reason or run_study(
                    study,
                    jobs=plan.config.jobs,
                    backend=plan.config.backend,
                    ray_address=options.ray_address,
                    stop=_budget(options.max_cost, ledger),
                    on_end=lambda episode: ledger.settle(Path(episode.exp_dir)),
                )
    except KeyboardInterrupt:
        return reason, True
    return reason, False


def _budget(limit: float | None, ledger: Ledger) -> Callable[[], str]:
    """Asked before each episode. Episodes that run already are paid for to their end."""

    def stop() -> str:
        if limit is None:
            return ""
        if ledger.cost_unknown:
            return "an episode's cost is unknown, so the budget cannot be held"
        return f"${ledger.cost:.2f} of the budget of ${limit:.2f} is spent" if ledger.cost >= limit else ""

    return stop


def _studies(plan: Plan, folder: Path) -> list[Any]:
    """One AgentLab study an attack, in the folder in which it was begun where it was."""
    agents = [agent.args for agent in plan.agents]
    studies = []
    for attack, benchmark in plan.benchmarks.items():
        begun = next((path.parent for path in sorted((folder / attack).glob("*/study.pkl.gz"))), None)
        studies.append(build_study(agents, benchmark, folder / attack, begun=begun))
    return studies
