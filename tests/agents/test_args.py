"""Arguments: independent copies, settings that hold for both models, pickles that load anywhere."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import bgym
import pytest
from agentlab.agents.generic_agent.generic_agent import GenericAgentArgs
from agentlab.experiments.study import make_study
from agentlab.llm.chat_api import AnthropicModelArgs, OpenAIModelArgs
from says import SaysArgs

from focusagent import BM25AgentArgs, DefenseFocusAgentArgs, FocusAgentArgs, SDOAgentArgs, focusing, generic_agent_bt
from focusagent.agents.flags import paper_flags
from focusagent.agents.named import AGENTS, UnknownAgent, make_agent
from focusagent.errors import UserError


def test_nothing_that_was_passed_in_is_shared() -> None:
    model, flags = OpenAIModelArgs("gpt-4.1", temperature=0.7), paper_flags()
    first = FocusAgentArgs(model, flags, retriever_model_args=model)
    second = FocusAgentArgs(model, flags)
    first.set_benchmark(bgym.DEFAULT_BENCHMARKS["miniwob"](), demo_mode=False)
    first.set_reproducibility_mode()
    assert (first.chat_model_args.temperature, first.model_args.temperature) == (0, 0)
    assert (model.temperature, second.chat_model_args.temperature) == (0.7, 0.7)
    assert flags == paper_flags() == second.flags


def test_html_stays_off_on_miniwob() -> None:
    benchmark = bgym.DEFAULT_BENCHMARKS["miniwob"]()
    for agent in (FocusAgentArgs(SaysArgs()), generic_agent_bt(SaysArgs())):
        agent.set_benchmark(benchmark, demo_mode=False)
        assert agent.flags.obs.use_html is False
        assert agent.flags.action.action_set == benchmark.high_level_action_set_args


def test_positional_arguments_are_in_the_documented_order() -> None:
    args = FocusAgentArgs(SaysArgs(), None, "bids", None, {}, "bid", False)
    assert (args.retriever, args.keep, args.simplify) == ("bids", "bid", False)
    assert isinstance(args, GenericAgentArgs)


def test_every_name_makes_its_own_agent() -> None:
    backbone, light = OpenAIModelArgs("openai/gpt-4.1"), AnthropicModelArgs("claude-haiku")
    names = [make_agent(name, backbone, light).agent_name for name in AGENTS]
    assert len(set(names)) == len(names)
    assert "focus__openai_gpt-4.1__claude-haiku" in names
    assert (
        make_agent("focus-local", backbone, reuse="signals").agent_name == "focus-local,reuse=signals__openai_gpt-4.1"
    )


@pytest.mark.parametrize("name", [name for name, spec in AGENTS.items() if spec.paper])
def test_configurations_of_the_paper_use_nothing_of_ours(name: str) -> None:
    args = make_agent(name, OpenAIModelArgs("gpt-4.1"))
    args.flags.extra_instructions = None  # DefenseGenericAgent's warning is the paper's own
    assert args.flags == paper_flags(5_000 if name.endswith("-5k") else 40_000)
    if isinstance(args, FocusAgentArgs):
        assert (args.simplify, args.skip_below, args.reuse, args.gate) == (False, 0, "never", False)
        assert args.make_defence() is None
    assert args.chat_model_args.temperature == 0


def test_examples_in_the_retrievers_prompt_follow_its_model() -> None:
    def examples(name: str, model: str) -> tuple[bool, bool]:
        options = make_agent(name, OpenAIModelArgs("gpt-4.1"), OpenAIModelArgs(model)).retriever_kwargs
        return options["abstract_example"], options["concrete_example"]

    for name in ("focus", "focus-history", "focus-keep-bid", "defense-focus-paper"):
        assert examples(name, "gpt-4.1-mini") == examples(name, "gpt-5-mini") == (False, False)
    assert examples("focus", "qwen/qwen3-8b") == (False, False)
    assert examples("focus", "qwen/qwen3.5-9b") == examples("focus", "qwen/qwen3-235b-a22b-2507") == (True, False)


def test_unknown_names_and_fields_name_the_nearest() -> None:
    with pytest.raises(UnknownAgent, match="did you mean 'focus-local'"):
        make_agent("focus-locl", SaysArgs())
    with pytest.raises(UnknownAgent, match="did you mean 'reuse'"):
        make_agent("focus-local", SaysArgs(), reus="never")


@pytest.mark.parametrize(("benchmark", "episodes"), [("workarena_l1", 330), ("webarena", 381)])
def test_the_papers_benchmarks_build_without_their_servers(benchmark: str, episodes: int) -> None:
    tasks = bgym.DEFAULT_BENCHMARKS[benchmark]()
    tasks = tasks.subset_from_split("test") if benchmark == "webarena" else tasks
    agent = FocusAgentArgs(OpenAIModelArgs("gpt-4.1"), retriever_model_args=OpenAIModelArgs("gpt-4.1-mini"))
    study = make_study([agent], tasks)
    assert len(study.exp_args_list) == episodes
    assert {exp.agent_args.agent_name for exp in study.exp_args_list} == {"focus__gpt-4.1__gpt-4.1-mini"}


def test_pickles_load_where_only_focusagent_was_imported(tmp_path: Path) -> None:
    agents = [
        FocusAgentArgs(OpenAIModelArgs("gpt-4.1"), retriever="local"),
        BM25AgentArgs(OpenAIModelArgs("gpt-4.1")),
        generic_agent_bt(OpenAIModelArgs("gpt-4.1")),
        make_agent("defense-focus-local", OpenAIModelArgs("gpt-4.1")),
    ]
    file = tmp_path / "agents.pkl"
    file.write_bytes(pickle.dumps(agents))
    program = f"import focusagent, pickle; print([a.agent_name for a in pickle.load(open({str(file)!r}, 'rb'))])"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert run.stdout.strip() == str([agent.agent_name for agent in agents]), run.stderr


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"keep": "nothin"}, "did you mean 'nothing'"),
        ({"reuse": "sometimes"}, "reuse must be one of never"),
        ({"strategy": "sofd"}, "did you mean 'soft'"),
        ({"simplify": "no"}, "simplify must be one of True, False"),
        ({"gate": 1}, "gate must be one of True, False"),
        ({"skip_below": "many"}, "skip_below must be a number of tokens, at least 0"),
        ({"second_look": -1}, "second_look must be a number of looks a step, at least 0, not -1"),
        ({"second_look": True}, "second_look must be a number"),
        ({"max_retry": 1.5}, "max_retry must be a number"),
        ({"retriever": "loca"}, "did you mean 'local'"),
        ({"retriever_kwargs": {"max_cals": 2}}, "no argument 'max_cals'; did you mean 'max_calls'"),
        ({"retriever_kwargs": {"histry": True}}, "did you mean 'history'"),
        ({"retriever_kwargs": ["history"]}, "retriever_kwargs must be a dictionary"),
        ({"retriever": "local", "retriever_kwargs": {"shar": 0.5}}, "did you mean 'share'"),
        ({"retriever": "local-lean", "retriever_kwargs": {"shar": 0.5}}, "did you mean 'share'"),
        ({"retriever": "local", "retriever_kwargs": {"share": 5}}, "share must lie in 0..1"),
        ({"retriever": "local", "retriever_kwargs": {"preset": "leen"}}, "preset must be one of"),
        ({"retriever": "local+llm", "retriever_kwargs": {"sharr": 0.5}}, "did you mean 'share'"),
        ({"retriever": "bids", "retriever_kwargs": {"size": 5}}, "no argument 'size'; known: none"),
        ({"gate_allow": "abc"}, "gate_allow must be a list of addresses, not 'abc'"),
        ({"gate_allow": ("abc",)}, "'abc' is no address; write http://abc"),
    ],
)
def test_settings_that_can_never_work_are_refused_in_one_line(settings: dict[str, Any], said: str) -> None:
    makers = [FocusAgentArgs, DefenseFocusAgentArgs, partial(SDOAgentArgs, retriever="llm")]
    makers += [lambda *_, **more: focusing(SaysArgs(), **more)] if settings.keys() & {"keep", "gate_allow"} else []
    for make in makers:
        with pytest.raises(ValueError, match=re.escape(said)) as raised:
            make(SaysArgs(), **settings)
        assert isinstance(raised.value, UserError)
        assert "\n" not in str(raised.value)
        assert raised.value.exit_code == 2


def test_settings_of_other_classes_are_checked_as_well() -> None:
    for args_class, settings in ((SDOAgentArgs, {"full_observations": 0}), (DefenseFocusAgentArgs, {"detect": "yes"})):
        with pytest.raises(ValueError, match="must be"):
            args_class(SaysArgs(), **settings)
    with pytest.raises(ValueError, match="there is no setting 'defence'; did you mean 'defense'"):
        focusing(SaysArgs(), defence=True)


def test_variants_have_names_of_their_own() -> None:
    variants = [
        FocusAgentArgs(SaysArgs()),
        DefenseFocusAgentArgs(SaysArgs()),
        FocusAgentArgs(SaysArgs(), keep="bid"),
        FocusAgentArgs(SaysArgs(), strategy="aggressive"),
        FocusAgentArgs(SaysArgs(), simplify=False),
    ]
    assert len({variant.agent_name for variant in variants}) == len(variants)


def test_reasoning_models_keep_their_temperature() -> None:
    args = FocusAgentArgs(OpenAIModelArgs("gpt-4.1"), retriever_model_args=OpenAIModelArgs("gpt-5-mini", temperature=1))
    args.set_reproducibility_mode()
    assert (args.chat_model_args.temperature, args.model_args.temperature) == (0, 1)
