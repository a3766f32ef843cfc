"""How a scripted backbone is told from a model: by its name."""

SCRIPTED = "scripted"


def is_scripted(name: str) -> bool:
    """Whether a backbone's name, in a configuration or in results, is that of the instrument."""
    return name == SCRIPTED or name.startswith(f"{SCRIPTED}-")
