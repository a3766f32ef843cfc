"""`focusagent study`: say what it costs, check what it needs, run it, resume it."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import yaml
from rich.console import Console

from focusagent.errors import UserError
from focusagent.folders import default_root
from focusagent.results.frames import load_results
from focusagent.results.terminal import print_results
from focusagent.studies.basis import assumption_lines
from focusagent.studies.config import StudyConfig, load_config
from focusagent.studies.estimates import display, estimate
from focusagent.studies.plan import Plan, make_plan
from focusagent.studies.preflight import lacks
from focusagent.studies.progress import Tally, live_progress
from focusagent.studies.running import build_study, parts, quiet, run_study

COPY = "study.yaml"


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
        _same_study(config, options.resume)
    os.environ.setdefault("AGENTLAB_EXP_ROOT", str(default_root()))
    with console.status("Planning"), quiet():
        plan = make_plan(config)
        estimates = estimate(plan)
    if options.dry_run:
        _show(plan, estimates, console)
        return 0
    if options.max_cost is not None and any(math.isnan(row.bill.cost) for row in estimates):
        unknown = ", ".join(row.agent for row in estimates if math.isnan(row.bill.cost))
        raise UserError(f"--max-cost cannot be held: the price of {unknown} is unknown", exit_code=2)
    if missing := lacks(plan):
        for line in missing:
            console.print(f"missing: {line}", soft_wrap=True, highlight=False, markup=False)
        raise UserError(f"{len(missing)} things are missing; nothing was started")
    return _run(plan, options, console)


def _show(plan: Plan, estimates: list[Any], console: Console) -> None:
    for attack, count in plan.episodes_an_agent.items():
        under = "" if attack == "none" else f" under {attack}"
        console.print(f"{plan.config.name}: {count} episodes an agent{under}")
    console.print(f"{plan.total} episodes in all, {len(plan.agents)} agents")
    console.print(display(estimates))
    for row in estimates:
        if row.warning:
            console.print(f"warning: {row.warning}", soft_wrap=True, highlight=False, markup=False)
    known = [row.bill.cost for row in estimates if not math.isnan(row.bill.cost)]
    unknown = len(estimates) - len(known)
    more = f", and {unknown} agents whose price is unknown" if unknown else ""
    console.print(f"Together: ${sum(known):,.2f}{more}")
    console.print("Assumptions:")
    for line in assumption_lines(plan):
        console.print(f"  {line}", soft_wrap=True, highlight=False, markup=False)
    for line in lacks(plan):
        console.print(f"missing: {line}", soft_wrap=True, highlight=False, markup=False)


def _run(plan: Plan, options: Options, console: Console) -> int:
    folder = options.resume or _new_folder(plan.config)
    console.print(f"Results: {folder}", soft_wrap=True, highlight=False, markup=False)
    with quiet():
        studies = _studies(plan, folder)
    tally = Tally()
    tally.look(folder)
    reason, stopped = "", False
    try:
        with live_progress(folder, plan.total, console, tally):
            for study in studies:
                reason = reason or run_study(
                    study,
                    jobs=plan.config.jobs,
                    backend=plan.config.backend,
                    ray_address=options.ray_address,
                    stop=_budget(options.max_cost, folder, tally),
                )
    except KeyboardInterrupt:
        stopped = True
    results = load_results(folder)
    print_results(results, console)
    done = int((results.episodes["status"] == "done").sum())
    if reason:
        console.print(f"Stopped: {reason}.", highlight=False)
    if done < plan.total:
        console.print(
            f"{plan.total - done} of {plan.total} episodes are not done. Go on: --resume {folder}", soft_wrap=True
        )
    console.print(f"Tables and figures: focusagent report {folder}", soft_wrap=True, highlight=False)
    return 130 if stopped else int(done < plan.total)


def _budget(limit: float | None, folder: Path, tally: Tally) -> Callable[[], str]:
    """Asked before each episode. Episodes that run already are paid for to their end."""

    def stop() -> str:
        if limit is None:
            return ""
        with suppress(OSError):
            tally.look(folder)
        if tally.unknown_cost:
            return "an episode's cost is unknown, so the budget cannot be held"
        return f"${tally.cost:.2f} of the budget of ${limit:.2f} is spent" if tally.cost >= limit else ""

    return stop


def _new_folder(config: StudyConfig) -> Path:
    folder = default_root() / f"{datetime.now():%Y-%m-%d_%H-%M-%S}_{config.name}"
    folder.mkdir(parents=True, exist_ok=False)
    (folder / COPY).write_text(_essence(config), encoding="utf-8")
    return folder


def _essence(config: StudyConfig) -> str:
    """What makes a study the same study: not how many jobs it had, nor where it ran."""
    unset = set() if config.attack_judge else {"attack_judge"}  # studies begun before it was known go on
    data = config.model_dump(mode="json", exclude={"jobs", "backend", "about"} | unset)
    return yaml.safe_dump(data, sort_keys=False)


def _same_study(config: StudyConfig, folder: Path) -> None:
    """Raises UserError where the folder holds another study, or none."""
    try:
        known = (folder / COPY).read_text(encoding="utf-8")
    except OSError as error:
        raise UserError(f"{folder} holds no study of `focusagent study`", exit_code=2) from error
    if known != _essence(config):
        raise UserError(f"{folder} holds another study; its configuration is {folder / COPY}", exit_code=2)


def _studies(plan: Plan, folder: Path) -> list[Any]:
    """One AgentLab study an attack: loaded where it was begun, made where it was not."""
    agents = [agent.args for agent in plan.agents]
    studies = []
    for attack, benchmark in plan.benchmarks.items():
        begun = next((path.parent for path in sorted((folder / attack).glob("*/study.pkl.gz"))), None)
        studies.append(_loaded(begun) if begun else build_study(agents, benchmark, folder / attack))
    return studies


def _loaded(folder: Path) -> Any:
    """The study as it was saved, where it lies now."""
    from agentlab.experiments.study import Study

    study = Study.load(folder)
    for part in parts(study):
        if part is not study:
            part.dir = folder / Path(part.dir).name
    return study
