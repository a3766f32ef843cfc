"""What a study is, as data: one YAML file, strictly read. A typo is refused with the nearest right word."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, get_args

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from focusagent.errors import UserError, nearest
from focusagent.studies.pools import Backend

MAX_ERRORS = 4


class AgentEntry(BaseModel):
    """An agent by name; any other key overrides a field of its Args and becomes part of its name."""

    model_config = ConfigDict(frozen=True, extra="allow")

    agent: str
    backbones: tuple[str, ...] | None = None  # in place of the study's
    retriever_models: tuple[str, ...] | None = None  # in place of the study's
    guard_model: str = ""  # the judge of an agent that has one

    @property
    def overrides(self) -> dict[str, Any]:
        return dict(self.model_extra or {})


class StudyConfig(BaseModel):
    """One study. Each agent is run with each backbone, and with each retriever model where its retriever asks one."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(pattern=r"^[\w.,+ -]+$")
    about: str = ""  # a sentence for readers
    reproduces: str = ""  # the papers' table or figure that it repeats
    benchmark: str  # a name of BrowserGym's or of this project's
    split: Literal["", "train", "valid", "test"] = ""  # of the benchmark; all where empty
    tasks: tuple[str, ...] = ()  # patterns (* and ?) of task names; all where empty
    repeats: int = Field(default=0, ge=0, le=1_000)  # seeds a task; the benchmark's own number where 0
    max_steps: int = Field(default=0, ge=0, le=10_000)  # an episode; the benchmark's own where 0
    context: int = Field(default=0, ge=0, le=100_000_000)  # limit of every model in tokens; the model's own where 0
    completion: int = Field(default=0, ge=0, le=10_000_000)  # likewise, of an answer
    agents: tuple[AgentEntry, ...] = Field(min_length=1)
    backbones: tuple[str, ...] = Field(min_length=1)
    retriever_models: tuple[str, ...] = ()
    attacks: tuple[str, ...] = Field(default=("none",), min_length=1)  # names of the catalogue; "none" is no attack
    attack_judge: str = ""  # the model that judges attacks whose success is the agent's intent
    jobs: int = Field(default=2, ge=1, le=1_000)  # episodes at once
    backend: Backend = "joblib"
    ignore_dependencies: bool = False

    @field_validator("agents", mode="before")
    @classmethod
    def _bare_names(cls, value: Any) -> Any:
        """An agent may be written as its bare name."""
        items = value if isinstance(value, list | tuple) else [value]
        return [{"agent": item} if isinstance(item, str) else item for item in items]

    def with_options(self, jobs: int | None = None, backend: str | None = None) -> StudyConfig:
        """The same study with what the command line says. Raises UserError for an unknown backend."""
        if backend is not None and backend not in get_args(Backend):
            raise UserError(f"unknown backend {backend!r}; {nearest(backend, get_args(Backend))}", exit_code=2)
        changes = {"jobs": jobs, "backend": backend}
        return self.model_copy(update={key: value for key, value in changes.items() if value is not None})


def load_config(path: str | Path) -> StudyConfig:
    """Raises UserError (exit code 2), one line that names file, key and remedy, for anything that is not a study."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
        data = yaml.load(text, Loader=_UniqueKeys)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror or error}", exit_code=2) from error
    except RecursionError as error:
        raise UserError(f"{path} is nested too deeply to be a study", exit_code=2) from error
    except (yaml.YAMLError, ValueError) as error:
        raise UserError(f"{path} is no YAML: {error}", exit_code=2) from error
    if not isinstance(data, dict):
        raise UserError(f"{path} holds no study: a mapping with name, benchmark, agents, backbones", exit_code=2)
    try:
        return StudyConfig.model_validate({"name": path.stem} | data)
    except ValidationError as error:
        raise UserError(f"{path}: {explained(error.errors())}", exit_code=2) from error


def explained(errors: list[Any]) -> str:
    """The first few; a list of wrong items alone is not reported as empty, too."""
    keys = {error["loc"][0] for error in errors if len(error["loc"]) > 1}
    told = [error for error in errors if error["type"] != "too_short" or error["loc"][0] not in keys]
    more = f"; and {len(told) - MAX_ERRORS} more" if len(told) > MAX_ERRORS else ""
    return "; ".join(map(_explain, told[:MAX_ERRORS])) + more


def _explain(error: Any) -> str:
    key = ".".join(map(str, error["loc"]))
    if error["type"] == "extra_forbidden":
        return f"unknown key {key!r}; {nearest(str(error['loc'][-1]), StudyConfig.model_fields)}"
    if error["type"] == "literal_error":
        return f"{key}: {error['input']!r} is not one of {error['ctx']['expected']}"
    if error["type"] in ("model_type", "model_attributes_type"):
        return f"{key}: an agent is a name, or a mapping with `agent`"
    if error["type"] == "tuple_type":
        return f"{key}: a list, not {str(error['input'])[:80]!r}"
    if error["type"] == "missing":
        return f"{key!r} is missing"
    return f"{key}: {error['msg']}"


class _UniqueKeys(yaml.SafeLoader):
    """YAML lets a later key silently replace an earlier one of the same name."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        for key in keys:
            if keys.count(key) > 1:
                raise yaml.constructor.ConstructorError(
                    problem=f"key {key!r} occurs twice", problem_mark=node.start_mark
                )
        mapping: dict[Any, Any] = super().construct_mapping(node, deep)
        return mapping
