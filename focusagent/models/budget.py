"""How many tokens a prompt may have, so that prompt and completion fit the model together."""

from __future__ import annotations

from focusagent.models.endpoint import Endpoint

MARGIN = 1_024
UNKNOWN_CONTEXT = 32_768
UNKNOWN_COMPLETION = 4_096
_OPENAI = ("openai", "azure", "own")
_OTHER_TOKENIZER = 0.8


def prompt_budget(endpoint: Endpoint) -> int:
    """min(max_input, max_total - max_new - margin) in our tokens (o200k_base); may be negative.

    The margin holds the chat template and a repair turn. Where only the table knows the model, its limits count; where
    nothing does, a context of 32k is assumed. Our count is an estimate for tokenizers other than OpenAI's, which write
    up to a quarter more tokens for such text; the budget is lower for them by as much."""
    info = endpoint.info
    completion = endpoint.max_new or min((info.max_output if info else None) or UNKNOWN_COMPLETION, UNKNOWN_COMPLETION)
    limits = [endpoint.max_input] if endpoint.max_input else []
    if endpoint.max_total:
        limits.append(endpoint.max_total - completion - MARGIN)
    if not limits:
        limits.append(((info.max_input if info else None) or UNKNOWN_CONTEXT) - completion - MARGIN)
    budget = min(limits)
    return budget if endpoint.provider in _OPENAI else int(budget * _OTHER_TOKENIZER)
