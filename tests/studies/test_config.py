from __future__ import annotations

from pathlib import Path

import pytest

from focusagent.errors import UserError
from focusagent.studies.config import StudyConfig, load_config
from focusagent.studies.plan import make_plan

CONFIGS = Path(__file__).parents[2] / "configs"
GOOD = "benchmark: longpage_tiny\nagents: [generic-bt, focus-local]\nbackbones: [scripted]\n"


def _refused(tmp_path: Path, text: str) -> str:
    path = tmp_path / "study.yaml"
    path.write_text(text)
    with pytest.raises(UserError) as caught:
        make_plan(load_config(path))
    assert caught.value.exit_code == 2
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (GOOD + "agnets: [focus]\n", "unknown key 'agnets'; did you mean 'agents'?"),
        (GOOD + "jobs: many\n", "jobs"),
        (GOOD + "jobs: 0\n", "jobs"),
        ("? [a]\n: b\n", "no YAML"),
        (GOOD + "backend: dask\n", "'sequential', 'joblib' or 'ray'"),
        (GOOD + "backbones: [gpt-4.1]\n", "occurs twice"),
        (GOOD.replace("focus-local", "focus-lokal"), "did you mean 'focus-local'?"),
        (GOOD.replace("longpage_tiny", "longpage_tin"), "did you mean 'longpage_tiny'?"),
        (GOOD.replace("focus-local", "{agent: focus-local, reus: signals}"), "did you mean 'reuse'?"),
        (GOOD.replace("focus-local", "generic-bt"), "planned twice"),
        (GOOD.replace("focus-local", "focus"), "a script cannot retrieve"),
        (GOOD.replace("longpage_tiny", "workarena_l1"), "no policies"),
        (GOOD.replace("scripted", "no-such-model"), "unknown model"),
        (GOOD + "tasks: ['longpage.forum.nothing*']\n", "no task"),
        (GOOD + "split: dev\n", "split"),
        (GOOD.replace("focus-local", "{agent: focus-local, guard_model: gpt-4o}"), "has no guard"),
        (GOOD + "attacks: [baner]\n", "did you mean 'banner'?"),
        (GOOD + "attacks: [none, goal-drift]\n", "judged by a model: name one with attack_judge"),
        (
            "benchmark: webarena\nagents: [generic-bt]\nbackbones: [gpt-4.1]\nattacks: [goal-drift-button]\n",
            "'goal-drift-button' can succeed on LongPage only",
        ),
        (GOOD.replace("focus-local", "{agent: focus-local, keep: bananas}"), "keep must be one of"),
        (GOOD.replace("focus-local", "{agent: focus-local, keep: [bid]}"), "'keep' is a text"),
        (GOOD.replace("focus-local", "{agent: focus-local, simplify: maybe}"), "'simplify' is true or false"),
        (GOOD.replace("focus-local", "{agent: focus-local, max_retry: true}"), "'max_retry' is a whole number"),
        (GOOD.replace("focus-local", "{agent: focus-local, skip_below: -4}"), "'skip_below' is a whole number"),
        (GOOD.replace("focus-local", "{agent: focus-local, retriever_kwargs: 3}"), "'retriever_kwargs' is a mapping"),
        (GOOD.replace("focus-local", "{agent: focus-local, retriever_kwargs: {nope: 1}}"), "argument 'nope'"),
        (GOOD.replace("focus-local", "{agent: focus-local, retriever: a.b}"), "unknown retriever 'a.b'"),
        (GOOD.replace("focus-local", "{agent: focus-local, chat_model_args: gpt-4o}"), "it follows from backbones"),
        (GOOD.replace("focus-local", "{agent: embedding-200, retriever_models: [nope]}"), "unknown model 'nope'"),
        (GOOD.replace("generic-bt", "3"), "agents.0: an agent is a name"),
        (GOOD.replace("[scripted]", "scripted"), "backbones: a list, not 'scripted'"),
        (GOOD + "repeats: 100000000\n", "repeats"),
        (GOOD + "attacks: []\n", "attacks"),
        (GOOD + "name: ../../elsewhere\n", "name"),
        (GOOD + "jobs: " + "9" * 5000 + "\n", "no YAML"),
        ("a: " + "[" * 20_000, "nested too deeply"),
        ("{a: " * 3_000, "nested too deeply"),
        ("agents: &a [*a]\nbenchmark: demo\nbackbones: [scripted]\n", "agents.0"),
        ("benchmark: longpage_tiny\n", "'agents' is missing"),
        ("- a\n", "holds no study"),
        ("a: [", "no YAML"),
    ],
)
def test_what_is_wrong_is_one_line_that_names_it(tmp_path: Path, text: str, said: str, no_keys: None) -> None:
    assert said in _refused(tmp_path, text)


def test_a_missing_file_is_named() -> None:
    with pytest.raises(UserError, match=r"none\.yaml: No such file"):
        load_config("none.yaml")


def test_a_configuration_is_never_changed() -> None:
    config = StudyConfig.model_validate(
        {"name": "x", "benchmark": "longpage_tiny", "agents": ["generic-bt"], "backbones": ["scripted"]}
    )
    assert config.with_options(jobs=7).jobs == 7
    assert config.jobs == 2
    with pytest.raises(Exception, match="frozen"):
        config.jobs = 3


def test_overrides_become_part_of_the_name(tmp_path: Path) -> None:
    path = tmp_path / "study.yaml"
    path.write_text(GOOD.replace("focus-local", "{agent: focus-local, keep: bid}"))
    plan = make_plan(load_config(path))
    assert [agent.agent_name for agent in plan.agents] == ["generic-bt__scripted", "focus-local,keep=bid__scripted"]
    assert plan.agents[1].args.keep == "bid"


def test_embedding_agents_name_their_model_and_have_a_local_one(tmp_path: Path) -> None:
    path = tmp_path / "study.yaml"
    path.write_text(GOOD.replace("focus-local", "embedding-200, {agent: embedding-400, retriever_models: [wordllama]}"))
    agents = make_plan(load_config(path)).agents
    names = ["embedding-200__scripted__text-embedding-3-small", "embedding-400__scripted__wordllama"]
    assert [agent.agent_name for agent in agents[1:]] == names
    assert [agent.args.embedding_model for agent in agents[1:]] == ["text-embedding-3-small", ""]


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("*.yaml")), ids=lambda path: path.stem)
def test_every_configuration_can_be_planned(path: Path) -> None:
    plan = make_plan(load_config(path))
    assert plan.total > 0
    assert plan.config.name == path.stem


@pytest.mark.parametrize(
    ("name", "episodes", "steps"),
    [
        ("workarena_l1", {"none": 330}, 15),
        ("webarena", {"none": 381}, 30),
        ("webarena_reddit_security", {"none": 114, "banner": 114, "popup": 114, "goal-drift": 114}, 30),
        ("prompt_strategies_webarena", {"none": 114}, 30),
    ],
)
def test_episodes_and_step_limits_are_the_papers(name: str, episodes: dict[str, int], steps: int) -> None:
    plan = make_plan(load_config(CONFIGS / f"{name}.yaml"))
    assert plan.episodes_an_agent == episodes
    assert {env.max_steps for benchmark in plan.benchmarks.values() for env in benchmark.env_args_list} == {steps}


PAPER = [path for path in sorted(CONFIGS.glob("*.yaml")) if "reproduces:" in path.read_text()]


@pytest.mark.parametrize("path", PAPER, ids=lambda path: path.stem)
def test_paper_configurations_use_the_papers_settings_and_nothing_of_ours(path: Path) -> None:
    from focusagent.agents.named import AGENTS

    for agent in make_plan(load_config(path)).agents:
        assert AGENTS[agent.name].paper
        args = agent.args
        assert not getattr(args, "simplify", False)
        assert not getattr(args, "gate", False)
        assert not getattr(args, "sanitise", False) or agent.name.startswith("defense-focus-paper")
        assert getattr(args, "skip_below", 0) == 0
        assert getattr(args, "reuse", "never") == "never"
        obs = args.flags.obs
        assert obs.use_ax_tree
        assert obs.use_focused_element
        assert obs.use_error_logs
        assert obs.use_action_history
        assert obs.use_think_history
        assert obs.extract_visible_tag
        assert obs.extract_clickable_tag
        assert not (obs.use_html)
        assert not (obs.use_screenshot)
        assert not (obs.use_som)
        if agent.name == "generic-guard":
            assert args.guard_model_args.model_name == "gpt-4o-2024-05-13"
        assert args.flags.use_thinking
        assert args.flags.use_concrete_example
        assert args.flags.use_abstract_example
        assert args.flags.max_prompt_tokens == (5_000 if agent.name == "generic-bt-5k" else 40_000)
