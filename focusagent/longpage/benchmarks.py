"""LongPage as BrowserGym benchmarks: gym ids, metadata, `longpage`, `longpage_tiny` and `longpage_xl`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

import gymnasium
import pandas as pd
from browsergym.core.registration import register_task
from browsergym.experiments.benchmark import DEFAULT_BENCHMARKS, Benchmark, HighLevelActionSetArgs

from focusagent.longpage.names import TaskName
from focusagent.longpage.sites import SITES, task_names, template_of
from focusagent.longpage.task import LongPageTask
from focusagent.sizes import Size

SPARE_STEPS = 3


def max_steps(name: TaskName) -> int:
    """Over three times the length of the policy's run."""
    return 3 * template_of(name).steps + SPARE_STEPS


def metadata(names: Iterable[TaskName]) -> pd.DataFrame:
    """One row a task: name, site, kind, size, events, pages, label, steps, split."""
    rows = []
    for name in names:
        template = template_of(name)
        rows.append(
            {
                "task_name": str(name),
                "site": name.site,
                "template": f"{name.site}.{name.task}",
                "kind": template.kind,
                "size": name.size,
                "events": name.events,
                "pages": template.pages,
                "foreign_label": template.foreign_label,
                "max_steps": max_steps(name),
                "browsergym_split": SITES[name.site].split or template.split,
                "depends_on": "",
            }
        )
    return pd.DataFrame(rows)


def make_benchmark(name: str, tasks: Sequence[TaskName], n_repeats: int = 1) -> Benchmark:
    """Any choice of tasks as a benchmark; repetition i has seed i."""
    from focusagent.environments import FocusEnvArgs

    env_args = [
        FocusEnvArgs(task_name=str(task), task_seed=seed, max_steps=max_steps(task))
        for task in tasks
        for seed in range(n_repeats)
    ]
    return Benchmark(
        name=name,
        high_level_action_set_args=HighLevelActionSetArgs(
            subsets=("chat", "infeas", "bid", "nav", "tab"),
            multiaction=False,
            strict=False,
            retry_with_force=True,
            demo_mode="off",
        ),
        is_multi_tab=True,
        supports_parallel_seeds=True,
        env_args_list=env_args,
        backends=[],
        task_metadata=metadata(tasks),
    )


def tasks_of(sizes: Iterable[Size]) -> list[TaskName]:
    """All tasks of these size classes."""
    wanted = set(sizes)
    return [name for name in task_names() if name.size in wanted]


def _sized(name: str, sizes: tuple[Size, ...], n_repeats: int = 1) -> Benchmark:
    return make_benchmark(name, tasks_of(sizes), n_repeats)


BENCHMARKS: dict[str, Callable[..., Benchmark]] = {
    "longpage": partial(_sized, "longpage", ("1k", "8k", "25k")),
    "longpage_tiny": partial(_sized, "longpage_tiny", ("1k",)),
    "longpage_xl": partial(_sized, "longpage_xl", ("60k", "130k")),
}


def register_tasks() -> None:
    """Make `browsergym/longpage.*` known to gymnasium. Safe to call again."""
    for name in task_names():
        if f"browsergym/{name}" not in gymnasium.registry:
            register_task(str(name), LongPageTask, task_kwargs={"name": str(name)})


def register_benchmarks() -> None:
    """Add LongPage's names to BrowserGym's benchmarks, where AgentLab's `make_study` looks them up."""
    DEFAULT_BENCHMARKS.update(BENCHMARKS)
