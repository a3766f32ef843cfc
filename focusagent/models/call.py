"""What one call of a model cost and said: the record that travels from the client to stats, xray and tables."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Call:
    """Tokens as the provider reports them (`estimated` where it does not); `cost` in dollars, None where the price is
    unknown; `seconds` include retries; `error` is "" for a call that was answered; `reasoning` is what the provider
    reports apart from the answer; `label` says what the call was for ("part 2 of 5", "repair")."""

    model: str
    messages: tuple[dict[str, object], ...] = ()
    answer: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cost: float | None = None
    seconds: float = 0.0
    retries: int = 0
    estimated: bool = False
    error: str = ""
    reasoning: str = ""
    label: str = ""
