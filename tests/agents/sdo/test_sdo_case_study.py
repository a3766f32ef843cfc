"""The case study: a purchase in the shop while banners appear, in Chromium, planned by the scripted root model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from focusagent.agents.sdo.agent import SDOAgent, SDOAgentArgs
from focusagent.scripted.model import ScriptedModelArgs

pytestmark = [pytest.mark.slow]
TASK = "longpage.shop.buy.8k.events"


def episode(agent: SDOAgent, folder: Path) -> tuple[float, list[dict[str, Any]]]:
    from focusagent.environments import FocusEnvArgs

    env_args = FocusEnvArgs(task_name=TASK, task_seed=0, max_steps=40, headless=True)
    env = env_args.make_env(agent.action_set.to_python_code, folder, use_raw_page_output=False)
    reward, steps = 0.0, []
    try:
        obs, _ = env.reset(seed=0)
        for _ in range(40):
            action, info = agent.get_action(agent.obs_preprocessor(obs))
            obs, earned, terminated, truncated, _ = env.step(action)
            reward = float(earned)
            steps.append({"action": action, **info.stats, "because": info.extra_info["focusagent"]["because"]})
            if terminated or truncated:
                break
    finally:
        env.close()
    return reward, steps


def test_the_late_banner_is_noticed_and_the_purchase_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from focusagent.longpage import events
    from focusagent.longpage.benchmarks import make_benchmark
    from focusagent.longpage.names import TaskName

    late = (events.Notice("cookies", "touch", 1), *(one for one in events.NOTICES if one.kind != "cookies"))
    monkeypatch.setattr(events, "NOTICES", late)
    args = SDOAgentArgs(ScriptedModelArgs(), retriever="all")
    args.set_benchmark(make_benchmark("case", [TaskName.parse(TASK)]), demo_mode=False)
    agent = args.make_agent()
    assert isinstance(agent, SDOAgent)
    reward, steps = episode(agent, tmp_path)
    assert reward == 1
    noticed = [step for step in steps if "dialog" in step["because"]]
    assert noticed, "no banner came, so nothing was studied"
    assert "dialog" in steps[1]["because"]
    assert all(step["signal_new_element"] for step in noticed)
    asked = [step for step in steps if step.get("look_fresh") or step.get("look_incremental")]
    assert len(asked) < len(steps)
    read = sum(step.get("retriever_tree_tokens", 0) for step in steps)
    assert read < 0.6 * sum(step["axtree_tokens_full"] for step in steps)
