"""What the README promises to scripts outside the package, in processes of their own, sequentially and through Ray."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

OURS_ON_MINIWOB = """
import focusagent
from agentlab.experiments.study import make_study
from focusagent import FocusAgentArgs
from focusagent.scripted.model import ScriptedModelArgs

model = ScriptedModelArgs(policies=("focusagent.longpage",))
study = make_study([FocusAgentArgs(model, retriever="local")], "miniwob_tiny_test")
"""
THEIRS_ON_LONGPAGE = """
import focusagent.longpage
from agentlab.agents.generic_agent.generic_agent import GenericAgentArgs
from agentlab.experiments.study import make_study
from focusagent.agents.flags import paper_flags
from focusagent.scripted.model import ScriptedModelArgs

study = make_study([GenericAgentArgs(chat_model_args=ScriptedModelArgs(), flags=paper_flags())], "longpage_tiny")
study.exp_args_list = [exp for exp in study.exp_args_list if ".forum." in exp.env_args.task_name][:{episodes}]
"""
RUN = """
study.run(n_jobs=2, parallel_backend="{backend}", n_relaunch=1)
results = study.get_results(also_save=False)[0]
print("ENDED", len(results), int(results["err_msg"].notna().sum()), float(results["cum_reward"].mean()), study.dir)
"""


def run(script: str, tmp_path: Path) -> list[str]:
    """Run it elsewhere; (episodes, errors, mean reward, folder) as it printed them."""
    file = tmp_path / "script.py"
    file.write_text(script)
    environment = os.environ | {"AGENTLAB_EXP_ROOT": str(tmp_path / "results")}
    done = subprocess.run(
        [sys.executable, str(file)], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=280
    )
    ended = [line for line in done.stdout.splitlines() if line.startswith("ENDED")]
    assert ended, done.stderr[-3000:]
    return ended[0].split()[1:]


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["sequential", "ray"])
def test_our_agent_on_miniwob(backend: str, tmp_path: Path) -> None:
    episodes, errors, _, folder = run(OURS_ON_MINIWOB + RUN.format(backend=backend), tmp_path)
    assert (int(episodes), int(errors)) == (4, 0)
    assert Path(folder).is_dir()


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["sequential", "ray"])
def test_agentlabs_own_agent_on_longpage(backend: str, tmp_path: Path) -> None:
    script = THEIRS_ON_LONGPAGE.format(episodes=3) + RUN.format(backend=backend)
    episodes, errors, reward, _ = run(script, tmp_path)
    assert (int(episodes), int(errors), float(reward)) == (3, 0, 1.0)


@pytest.mark.slow
def test_a_study_loads_where_only_focusagent_was_imported_and_agentxray_reads_it(tmp_path: Path) -> None:
    *_, folder = run(THEIRS_ON_LONGPAGE.format(episodes=1) + RUN.format(backend="sequential"), tmp_path)
    script = f"""
import focusagent
from agentlab.analyze import agent_xray
from agentlab.experiments.study import Study
from agentlab.analyze.inspect_results import load_result_df

frame = load_result_df({folder!r})
print("ENDED", len(Study.load({folder!r}).exp_args_list), int(frame["err_msg"].notna().sum()), 0, len(frame))
"""
    assert run(script, tmp_path) == ["1", "0", "0", "1"]
