"""Ways out of the traps of the stack below: each small, named, and tested against the real library."""

from focusagent.compat.aliases import know_old_names
from focusagent.compat.environment import quieten_ray, use_packaged_miniwob
from focusagent.compat.nltk_data import forgive_missing_nltk_data, sentence_data_installed
from focusagent.compat.tokenizers import know_tokenizer, use_packaged_encodings

__all__ = [
    "forgive_missing_nltk_data",
    "know_old_names",
    "know_tokenizer",
    "quieten_ray",
    "sentence_data_installed",
    "settle",
    "use_packaged_encodings",
    "use_packaged_miniwob",
]


def settle() -> None:
    """What must hold before AgentLab is imported, in this process and in its children. Imports nothing heavy, runs on
    `import focusagent`, and leaves whatever the user has set."""
    know_old_names()
    use_packaged_encodings()
    use_packaged_miniwob()
    forgive_missing_nltk_data()
