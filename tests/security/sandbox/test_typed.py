"""What the agent typed is known again in any reading of a request, and no request can end the reading."""

from __future__ import annotations

from focusagent.security.sandbox.typed import readings


def test_a_reference_of_thousands_of_digits_is_read_like_any_text() -> None:
    said = "a=&#" + "9" * 5_000 + ";secret%20words"
    assert any("secret words" in reading for reading in readings(said))
