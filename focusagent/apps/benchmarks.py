"""Applications as BrowserGym benchmarks: gym ids, metadata, `apps` and `apps_tiny`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import gymnasium
import pandas as pd
from browsergym.core.registration import register_task
from browsergym.experiments.benchmark import DEFAULT_BENCHMARKS, Benchmark, HighLevelActionSetArgs

from focusagent.apps.app import APPS
from focusagent.apps.names import AppTaskName
from focusagent.apps.task import AppTask
from focusagent.apps.template import AppTemplate
from focusagent.environments import FocusEnvArgs

SPARE_STEPS = 3
TINY = 2  # templates of each application for training


def task_names() -> list[AppTaskName]:
    """Every task of every application, installed or not."""
    return [AppTaskName(app.name, task) for app in APPS.values() for task in app.templates]


def template_of(name: AppTaskName) -> AppTemplate:
    return APPS[name.app].templates[name.task]


def max_steps(name: AppTaskName) -> int:
    """Over three times the length of the policy's run."""
    return 3 * template_of(name).steps + SPARE_STEPS


def metadata(names: Iterable[AppTaskName]) -> pd.DataFrame:
    """One row a task: name, app, template, kind, pages, label, steps, split."""
    rows = []
    for name in names:
        template = template_of(name)
        rows.append(
            {
                "task_name": str(name),
                "app": name.app,
                "template": f"{name.app}.{name.task}",
                "kind": template.kind,
                "pages": template.pages,
                "foreign_label": template.foreign_label,
                "max_steps": max_steps(name),
                "browsergym_split": APPS[name.app].spec.split,
                "depends_on": "",
            }
        )
    return pd.DataFrame(rows)


def make_benchmark(name: str, tasks: Sequence[AppTaskName], n_repeats: int = 1) -> Benchmark:
    """Any choice of tasks as a benchmark; repetition i has seed i."""
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
        env_args_list=[
            FocusEnvArgs(task_name=str(task), task_seed=seed, max_steps=max_steps(task))
            for task in tasks
            for seed in range(n_repeats)
        ],
        backends=[],
        task_metadata=metadata(tasks),
    )


def _all(n_repeats: int = 1) -> Benchmark:
    return make_benchmark("apps", task_names(), n_repeats)


def _tiny(n_repeats: int = 1) -> Benchmark:
    training = [app for app in APPS.values() if app.spec.split == "train"]
    tasks = [AppTaskName(app.name, task) for app in training for task in list(app.templates)[:TINY]]
    return make_benchmark("apps_tiny", tasks, n_repeats)


def register_tasks() -> None:
    """Make `browsergym/apps.*` known to gymnasium. Safe to call again."""
    for name in task_names():
        if f"browsergym/{name}" not in gymnasium.registry:
            register_task(str(name), AppTask, task_kwargs={"name": str(name)})


def register_benchmarks() -> None:
    """Add the names to BrowserGym's benchmarks, where AgentLab's `make_study` looks them up."""
    DEFAULT_BENCHMARKS.update({"apps": _all, "apps_tiny": _tiny})


def register_policies() -> None:
    """Tell the scripted backbone what to do on every task. Needs no application."""
    for name in task_names():
        template_of(name).register()
