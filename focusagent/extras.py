"""What a light install lacks, told in one line: which extra brings it and how it is installed."""

from __future__ import annotations

from importlib.util import find_spec

from focusagent.errors import UserError

# Top-level module -> the extra of pyproject.toml that brings it.
_EXTRAS = {
    "agentlab": "agentlab bgym browsergym gradio gymnasium huggingface_hub joblib matplotlib miniwob nltk pandas PIL"
    " playwright ray scipy sklearn wordllama yaml",
    "security": "doomarena",
    "llm": "anthropic jinja2 litellm openai",
    "mcp": "mcp",
}
EXTRA_OF = {module: extra for extra, modules in _EXTRAS.items() for module in modules.split()}


class MissingExtra(UserError, ImportError):
    """Something that is asked for needs a package which the core does without."""


def installed(module: str) -> bool:
    """Whether the top-level module can be imported, without importing it."""
    return find_spec(module) is not None


def missing_extra(module: str, what: str = "this") -> MissingExtra:
    """The error that says how `what` gets the top-level `module`. Raises KeyError for a module of no extra."""
    extra = EXTRA_OF[module]
    return MissingExtra(f"{what} needs {module}, which is not installed: pip install 'focusagent[{extra}]'")


def explained(error: ModuleNotFoundError) -> MissingExtra | None:
    """The same for an import that failed; None where no extra brings the module."""
    module = (error.name or "").split(".")[0]
    return missing_extra(module) if module in EXTRA_OF and not installed(module) else None
