"""A configuration made concrete: which agents, on which episodes. Everything that can be wrong is wrong here."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from focusagent.errors import UserError, nearest
from focusagent.models.endpoint import endpoint_of
from focusagent.scripted.name import is_scripted
from focusagent.studies.attacked import NONE, attacked, webarena_forum_tasks
from focusagent.studies.backbones import model_args
from focusagent.studies.config import AgentEntry, StudyConfig
from focusagent.studies.overrides import check_retriever, checked, defaults_of
from focusagent.studies.resume import keep_seeds

FORUM = "@webarena-forum"
LOCAL_EMBEDDINGS = "wordllama"


@dataclass(frozen=True)
class PlannedAgent:
    """`args` are AgentLab's; the names are those of the configuration, "" for no retriever model."""

    name: str
    backbone: str
    retriever_model: str
    args: Any

    @property
    def agent_name(self) -> str:
        return str(self.args.agent_name)


@dataclass(frozen=True)
class Plan:
    """One AgentLab study per attack: `benchmarks` maps the attack ("none" for none) to its episodes, which are those of
    `plain`."""

    config: StudyConfig
    agents: tuple[PlannedAgent, ...]
    benchmarks: dict[str, Any]
    plain: Any

    @property
    def episodes_an_agent(self) -> dict[str, int]:
        return {attack: len(benchmark.env_args_list) for attack, benchmark in self.benchmarks.items()}

    @property
    def total(self) -> int:
        return len(self.agents) * sum(self.episodes_an_agent.values())


def make_plan(config: StudyConfig, seeds: Mapping[str, list[int]] | None = None) -> Plan:
    """`seeds` are those of each task that a study which goes on was begun with.

    Raises UserError, one line, for an unknown benchmark, task, agent, field, model or attack, and for pairings that can
    never work."""
    plain = _benchmark(config)
    keep_seeds(plain, seeds or {})
    judge = _checked_attacks(config)
    agents = tuple(agent for entry in config.agents for agent in _agents(config, entry))
    names = [agent.agent_name for agent in agents]
    if doubled := {name for name in names if names.count(name) > 1}:
        raise UserError(f"agent {sorted(doubled)[0]!r} is planned twice", exit_code=2)
    return Plan(config, agents, {attack: _under(plain, attack, judge) for attack in config.attacks}, plain)


def _agents(config: StudyConfig, entry: AgentEntry) -> Iterator[PlannedAgent]:
    defaults = defaults_of(entry.agent)
    changes = checked(entry, defaults)
    asks = (defaults | changes).get("retriever") in ("llm", "local+llm")
    for backbone in entry.backbones or config.backbones:
        if is_scripted(backbone) and not config.benchmark.startswith(("longpage", "miniwob", "demo", "apps")):
            raise UserError(f"the scripted backbone has no policies for {config.benchmark!r}", exit_code=2)
        for model in _models(config, entry, asks, defaults):
            if asks and is_scripted(model or backbone):
                raise UserError(f"agent {entry.agent!r} needs a retriever model: a script cannot retrieve", exit_code=2)
            limits = (config.context, config.completion)
            yield _agent(entry, changes, backbone, model, limits, embeds="embedding_model" in defaults)


def _models(config: StudyConfig, entry: AgentEntry, asks: bool, defaults: dict[str, Any]) -> tuple[str, ...]:
    """The retriever models to run an agent with: one language model each, one embedding model each, or none."""
    if "embedding_model" in defaults:
        return entry.retriever_models or (defaults["embedding_model"],)
    return (entry.retriever_models or config.retriever_models or ("",)) if asks else ("",)


def _agent(
    entry: AgentEntry, changes: dict[str, Any], backbone: str, model: str, limits: tuple[int, int], *, embeds: bool
) -> PlannedAgent:
    from focusagent.agents.named import make_agent

    asked = model_args(model, *limits) if model and not embeds else None
    try:
        args = make_agent(entry.agent, model_args(backbone, *limits), asked, **deepcopy(changes))
    except ValueError as error:
        raise UserError(str(error), exit_code=2) from error
    check_retriever(entry, args)
    if embeds:
        _check_embedding(model)
        args.embedding_model = "" if model == LOCAL_EMBEDDINGS else model
        args.agent_name = f"{args.agent_name}__{model.replace('/', '_')}"
    if entry.guard_model:
        if not hasattr(args, "guard_model_args"):
            raise UserError(f"agent {entry.agent!r} has no guard", exit_code=2)
        args.guard_model_args = model_args(entry.guard_model, *limits)
    return PlannedAgent(args.agent_name.partition("__")[0], backbone, model, args)


def _check_embedding(model: str) -> None:
    if model == LOCAL_EMBEDDINGS:
        return
    try:
        endpoint_of(model)
    except ValueError as error:
        raise UserError(str(error), exit_code=2) from error


def _checked_attacks(config: StudyConfig) -> Any:
    """The Args of the model that judges attacks, None where none is named."""
    from focusagent.security.attacks import load_catalogue
    from focusagent.security.attacks.doom import NO_JUDGE

    known = load_catalogue() if config.attacks != (NONE,) else {}
    for attack in config.attacks:
        if attack != NONE and attack not in known:
            raise UserError(f"unknown attack {attack!r}; {nearest(attack, [NONE, *known])}", exit_code=2)
        if attack != NONE and known[attack].needs_judge and not config.attack_judge:
            raise UserError(NO_JUDGE.format(attack), exit_code=2)
    return model_args(config.attack_judge) if config.attack_judge else None


def _benchmark(config: StudyConfig) -> Any:
    """BrowserGym's benchmark, cut to what the configuration asks for."""
    from browsergym.experiments.benchmark import DEFAULT_BENCHMARKS

    import focusagent.apps
    import focusagent.longpage  # noqa: F401  adds its benchmarks, as apps does
    from focusagent.studies.demo import demo_benchmark

    makers = dict(DEFAULT_BENCHMARKS) | {"demo": lambda **_: demo_benchmark()}
    maker = makers.get(config.benchmark)
    if maker is None:
        raise UserError(f"unknown benchmark {config.benchmark!r}; {nearest(config.benchmark, makers)}", exit_code=2)
    benchmark = maker(n_repeats=config.repeats) if config.repeats else maker()
    if config.split:
        benchmark = _split(benchmark, config.split)
    if config.tasks:
        benchmark = benchmark.subset_from_list(_chosen(benchmark, config.tasks), benchmark_name_suffix="chosen")
    if config.max_steps:
        for env_args in benchmark.env_args_list:
            env_args.max_steps = config.max_steps
    return benchmark


def _split(benchmark: Any, split: str) -> Any:
    try:
        return benchmark.subset_from_split(split)
    except (NotImplementedError, ValueError) as error:
        raise UserError(f"benchmark {benchmark.name!r} has no split {split!r}: {error}", exit_code=2) from error


def _chosen(benchmark: Any, patterns: tuple[str, ...]) -> list[str]:
    """Task names that match one of the patterns. Raises UserError for a pattern that matches none."""
    known = list(dict.fromkeys(env_args.task_name for env_args in benchmark.env_args_list))
    chosen: list[str] = []
    for pattern in patterns:
        wanted = set(webarena_forum_tasks()) if pattern == FORUM else None
        found = [
            name for name in known if (name in wanted if wanted is not None else fnmatch.fnmatchcase(name, pattern))
        ]
        if not found:
            raise UserError(
                f"no task of {benchmark.name!r} matches {pattern!r}; {nearest(pattern, known[:500])}", exit_code=2
            )
        chosen += [name for name in found if name not in chosen]
    return chosen


def _under(benchmark: Any, attack: str, judge: Any) -> Any:
    """A copy, so that no two studies share an environment's arguments."""
    copied = deepcopy(benchmark)
    if attack != NONE:
        copied.name = f"{benchmark.name}_{attack}"
        copied.env_args_list = [attacked(env_args, attack, judge) for env_args in copied.env_args_list]
    return copied
