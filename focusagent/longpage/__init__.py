"""LongPage: a hermetic BrowserGym benchmark of long pages.

Importing it registers the tasks with gymnasium, the benchmarks with BrowserGym and the policies with the scripted
backbone."""

from focusagent.longpage.benchmarks import make_benchmark, register_benchmarks, register_tasks, tasks_of
from focusagent.longpage.miniwob_policies import register_miniwob_policies
from focusagent.longpage.names import TaskName
from focusagent.longpage.sites import SITES, register_policies, task_names

register_policies()
register_miniwob_policies()
register_tasks()
register_benchmarks()

__all__ = ["SITES", "TaskName", "make_benchmark", "task_names", "tasks_of"]
