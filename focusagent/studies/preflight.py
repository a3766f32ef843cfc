"""What a study lacks, found before anything is paid for: each lack a line with its remedy."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.util import find_spec

from focusagent import doctor
from focusagent.models.checks import check_model
from focusagent.models.failure import ConfigError
from focusagent.scripted.name import is_scripted
from focusagent.studies.attacked import NONE
from focusagent.studies.backbones import model_args
from focusagent.studies.plan import Plan


def lacks(plan: Plan) -> list[str]:
    """One line each, "what: remedy"; empty when the study can start. Starts the browser once; calls no model."""
    findings = [doctor.browser(), doctor.disk_space(), *_of_benchmark(plan)]
    lines = [f"{item.what} ({item.detail}): {item.fix}" for item in findings if not item.present]
    return list(dict.fromkeys([*lines, *_of_models(plan), *_of_attacks(plan), *_of_resets(plan)]))


def _of_benchmark(plan: Plan) -> Iterator[doctor.Finding]:
    backends = {backend for benchmark in plan.benchmarks.values() for backend in benchmark.backends}
    if "miniwob" in backends:
        yield doctor.miniwob_pages()
    if "workarena" in backends:
        yield doctor.workarena_instance()
    if any(backend.startswith("webarena") for backend in backends):
        yield doctor.webarena_servers()
        yield doctor.webarena_judge()
        yield doctor.sentence_data()


def _of_models(plan: Plan) -> Iterator[str]:
    fields = ("chat_model_args", "retriever_model_args", "guard_model_args", "embedding_model")
    models = [getattr(agent.args, field, None) for agent in plan.agents for field in fields]
    if plan.config.attack_judge:
        models.append(model_args(plan.config.attack_judge))
    for model in models:
        if not model or is_scripted(str(getattr(model, "model_name", model))):
            continue
        try:
            check_model(model)
        except ConfigError as error:
            yield str(error)


def _of_attacks(plan: Plan) -> Iterator[str]:
    guarded = any(agent.name == "generic-guard" for agent in plan.agents)
    if (guarded or set(plan.benchmarks) != {NONE}) and find_spec("doomarena") is None:
        yield "DoomArena (not installed): pip install 'focusagent[security]'"


def _of_resets(plan: Plan) -> Iterator[str]:
    """WebArena's episodes change its servers: a second agent on the same servers needs a reset."""
    runs = len(plan.agents) * len(plan.benchmarks)
    webarena = any("webarena" in benchmark.backends for benchmark in plan.benchmarks.values())
    if webarena and runs > 1 and not os.environ.get("WA_FULL_RESET"):
        yield f"WebArena's reset ({runs} runs share the servers): export WA_FULL_RESET=... (its reset server)"
