"""What a reply has used and cost, as far as it can be told."""

from __future__ import annotations

from dataclasses import dataclass

from focusagent.models.endpoint import Endpoint
from focusagent.models.request import IMAGE_TOKENS, Reply, Request, Usage, count_images, estimate_tokens
from focusagent.models.tokens import count_tokens

# A prompt was cut where the provider counts less than this share of our count, and so many tokens fewer: no
# tokenizer in use writes a page in so few.
_SHARE, _FEWER = 0.5, 1_000


@dataclass(frozen=True)
class Paid:
    """Tokens, and dollars where they are known. What was not measured has no cost, not a cost of 0."""

    input: int = 0
    output: int = 0
    cached: int = 0
    cost: float | None = None
    estimated: bool = False

    @classmethod
    def of(cls, endpoint: Endpoint, request: Request, reply: Reply) -> Paid:
        """Figures that the provider does not give are our own counts, and then `estimated`."""
        usage = reply.usage or Usage(None, None)
        known = usage.input is not None and usage.output is not None
        return cls(
            input=estimate_tokens(request.messages) if usage.input is None else usage.input,
            output=count_tokens(reply.text + reply.reasoning) if usage.output is None else usage.output,
            cached=usage.cached,
            cost=_cost(endpoint, usage),
            estimated=not known,
        )

    def plus(self, other: Paid) -> Paid:
        unknown = self.cost is None or other.cost is None
        return Paid(
            self.input + other.input,
            self.output + other.output,
            self.cached + other.cached,
            None if unknown else (self.cost or 0.0) + (other.cost or 0.0),
            self.estimated or other.estimated,
        )


def _cost(endpoint: Endpoint, usage: Usage) -> float | None:
    """The provider's own figure, else the table's price of counted tokens."""
    if usage.cost is not None:
        return usage.cost
    if endpoint.prices is None or usage.input is None or usage.output is None:
        return None
    return endpoint.prices.cost(usage.input, usage.output, usage.cached, usage.written)


def truncated(endpoint: Endpoint, request: Request, reply: Reply) -> str:
    """What to say where the server has read only a part of the prompt and has not said so; "" where it read all."""
    read = reply.usage.input if reply.usage else None
    if read is None or endpoint.official or endpoint.protocol == "own":
        return ""
    sent = estimate_tokens(request.messages) - IMAGE_TOKENS * count_images(request.messages)
    if read >= _SHARE * sent or sent - read < _FEWER:
        return ""
    return (
        f"the server read {read} tokens of a prompt of about {sent}: it cut the rest off; raise its context"
        " (num_ctx or OLLAMA_CONTEXT_LENGTH for Ollama, --ctx-size for llama.cpp)"
    )
