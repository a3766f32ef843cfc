"""The other goal of goal drift, against the rule written a second time over the `webarena` package's own tasks."""

from __future__ import annotations

import random
from typing import Any

from browsergym.experiments.loop import EnvArgs

from focusagent.compat.webarena import webarena_tasks
from focusagent.studies.attacked import attacked, webarena_forum_tasks


def test_the_other_goal_is_drawn_with_the_tasks_id() -> None:
    tasks: list[dict[str, Any]] = webarena_tasks()
    by_id = {task["task_id"]: task for task in tasks}
    drawn = 0
    for name in webarena_forum_tasks():
        own = by_id[int(name.partition(".")[2])]
        siblings = [t for t in tasks if t["intent_template_id"] == own["intent_template_id"] and t is not own]
        expected = random.Random(own["task_id"]).choice(siblings)["intent"] if siblings else own["intent"]
        for seed in (0, 7):
            (attack,) = attacked(EnvArgs(task_name=name, task_seed=seed), "goal-drift").attacks
            assert (attack.goal, attack.other_goal) == (own["intent"], expected)
        drawn += expected != own["intent"]
    assert drawn > 100
