"""Token counts of AgentLab for models that tiktoken does not know."""

from __future__ import annotations

from focusagent.models.tokens import ENCODING, use_packaged_encodings


def know_tokenizer(model_name: str) -> None:
    """Have tiktoken count an unknown model (Claude, a local one) with o200k_base.

    AgentLab asks the Hugging Face hub for any name that tiktoken does not know: about 50 s of retries where there is no
    network, and a 404 for most names where there is one. The count is an estimate then, as AgentLab's own (gpt-4) was.
    """
    use_packaged_encodings()
    from tiktoken.model import MODEL_TO_ENCODING, encoding_name_for_model

    try:
        encoding_name_for_model(model_name)
    except KeyError:
        MODEL_TO_ENCODING[model_name] = ENCODING
