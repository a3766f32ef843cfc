"""Real open-source applications as a BrowserGym benchmark.

Importing it registers the tasks with gymnasium, the benchmarks with BrowserGym and the policies with the scripted
backbone. No application needs to be installed for that."""

from focusagent.apps.app import APPS
from focusagent.apps.benchmarks import (
    make_benchmark,
    register_benchmarks,
    register_policies,
    register_tasks,
    task_names,
)
from focusagent.apps.names import AppTaskName

register_policies()
register_tasks()
register_benchmarks()

__all__ = ["APPS", "AppTaskName", "make_benchmark", "task_names"]
