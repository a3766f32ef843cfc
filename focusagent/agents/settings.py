"""The settings of agents' Args, checked when they are made: what can never work is refused in one line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any

from focusagent.axtree import KEEPS
from focusagent.errors import BadSetting, nearest
from focusagent.retrieval.llm.prompting import STRATEGIES
from focusagent.retrieval.registry import check_arguments, check_name
from focusagent.security.origins import origin_of
from focusagent.signals.reuse import MODES

_CHOICES: dict[str, tuple[Any, ...]] = {
    "keep": KEEPS,
    "strategy": STRATEGIES,
    "reuse": MODES,
    "simplify": (True, False),
    "gate": (True, False),
    "detect": (True, False),
    "sanitise": (True, False),
    "published": (True, False),
    "defense": (True, False),
    "purposes": (True, False),
    "keep_live": (True, False),
    "keep_text": (True, False),
    "compact_prompt": (True, False),
    "cut_long_lines": (True, False),
    "mask_secrets": (True, False, None),
}
# Setting -> the least number it may be, and what it counts.
_COUNTS = {
    "skip_below": (0, "tokens"),
    "second_look": (0, "looks a step"),
    "max_retry": (0, "retries"),
    "full_observations": (1, "observations"),
}


def check_settings(args: Any) -> None:
    """Raises BadSetting for a value that can never work in any of the fields above, and UnknownRetriever."""
    for name, values in _CHOICES.items():
        check_choice(name, getattr(args, name, values[0]), values)
    for name, (least, unit) in _COUNTS.items():
        value = getattr(args, name, least)
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise BadSetting(f"{name} must be a number of {unit}, at least {least}, not {value!r}")
    _check_addresses(getattr(args, "gate_allow", ()))
    check_name(args.retriever)
    if not isinstance(args.retriever_kwargs, Mapping):
        raise BadSetting(f"retriever_kwargs must be a dictionary, not {args.retriever_kwargs!r}")
    check_arguments(args.retriever, args.retriever_kwargs)


def check_choice(name: str, value: Any, values: Iterable[Any]) -> None:
    """Raises BadSetting, naming the nearest of `values`, for a value that is none of them."""
    known = list(values)
    if any(value is one or (isinstance(value, str) and value == one) for one in known):
        return
    names = [str(one) for one in known]
    raise BadSetting(f"{name} must be one of {', '.join(names)}, not {value!r}{_hint(value, names)}")


def check_names(settings: Mapping[str, Any], args_class: type) -> None:
    """Raises BadSetting, naming the nearest field, for a setting that the Args do not have."""
    known = [one.name for one in fields(args_class)]
    for name in settings:
        if name not in known:
            raise BadSetting(f"there is no setting {name!r}; {nearest(name, known)}")


def _hint(value: Any, names: list[str]) -> str:
    """The nearest name, where there is one: all of them are said already."""
    hint = nearest(value, names)
    return f"; {hint}" if hint.startswith("did") else ""


def _check_addresses(allowed: Any) -> None:
    if isinstance(allowed, str) or not isinstance(allowed, Iterable):
        raise BadSetting(f"gate_allow must be a list of addresses, not {allowed!r}")
    for address in allowed:
        if not isinstance(address, str) or origin_of(address) is None:
            raise BadSetting(f"gate_allow: {address!r} is no address; write http://{address} or {address}:8080")
