"""Every wording of the table through the real clients, and what is done about it."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from focusagent.models.client import make_client
from focusagent.models.dialects import Row, Sent, read_wording, rows, told
from focusagent.models.endpoint import Endpoint
from focusagent.models.failure import Failure, ModelError

HELLO = [{"role": "system", "content": "Be short."}, {"role": "user", "content": "Hello"}]
LONG = [{"role": "user", "content": "word " * 16_000}]
SCHEMA = {"type": "object", "properties": {"answer": {"type": "string"}}}
PROTOCOLS = ("openai", "anthropic", "litellm")
ROWS = {f"{index} {row.provider}: {row.kind}": row for index, row in enumerate(rows())}
GIVEN_UP = {
    "filter": Failure.REFUSED,
    "quota": Failure.RATE_LIMITED,
    "context": Failure.CONTEXT_LENGTH,
    "rate_size": Failure.CONTEXT_LENGTH,
}


def _client(server: Any, protocol: Any, max_new: int | None = 20_000) -> Any:
    model = "openai/a-model" if protocol == "litellm" else "a-model"
    address = server.root if protocol == "anthropic" else server.url
    provider = {"openai": "self-hosted"}.get(protocol, protocol)
    return make_client(Endpoint(model, provider, protocol, address, key="k", temperature=0.1, max_new=max_new))


def _refusal(server: Any, row: Row) -> Any:
    return server.refusing(row.status, row.example, **row.fields)


def _has_system(body: dict[str, Any]) -> bool:
    return "system" in body or any(message["role"] == "system" for message in body["messages"])


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("name", [name for name, row in ROWS.items() if row.kind in GIVEN_UP])
def test_what_cannot_be_mended_is_named(llm_server: Any, name: str, protocol: str) -> None:
    row = ROWS[name]
    llm_server.always = _refusal(llm_server, row)
    with pytest.raises(ModelError) as raised:
        _client(llm_server, protocol, max_new=300).complete(HELLO, schema=SCHEMA)
    assert raised.value.failure == GIVEN_UP[row.kind]
    if "n_ctx" not in row.fields or protocol != "litellm":  # LiteLLM passes a message on, and no other field
        assert raised.value.limit == row.limit
    assert len(llm_server.received) <= 2, "nothing of it passes by waiting"
    assert raised.value.call is not None
    assert raised.value.call.cost == 0.0


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("name", [name for name, row in ROWS.items() if row.kind not in GIVEN_UP])
def test_what_can_be_mended_is_mended_and_remembered(llm_server: Any, name: str, protocol: str) -> None:
    row = ROWS[name]
    if protocol == "anthropic" and row.option in ("schema", "limit"):
        pytest.skip("this protocol knows no such option, or no other name of it")
    if protocol == "litellm" and "must alternate" in row.example:
        pytest.skip("LiteLLM answers this one itself, out of sight")
    client = _client(llm_server, protocol)
    client.habits.limit_names = tuple(sorted(client.habits.limit_names, key=lambda known: known == row.to))
    llm_server.then(_refusal(llm_server, row))
    call = client.complete(HELLO, schema=SCHEMA)
    client.complete(HELLO, schema=SCHEMA)
    first, second, third = (received.body for received in llm_server.received)
    assert call.retries == 1, "each request is counted"
    for later in (second, third):
        _check(row, first, later)


def _check(row: Row, before: dict[str, Any], after: dict[str, Any]) -> None:
    match row.kind:
        case "system_role":
            assert _has_system(before)
            assert not _has_system(after)
            assert "Be short." in str(after["messages"])
        case "completion":
            assert row.limit in (after.get("max_tokens"), after.get("max_completion_tokens"))
        case "renamed":
            assert (row.to in before, row.to in after) == (False, True)
            assert len({"max_tokens", "max_completion_tokens"} & set(after)) == 1
        case "refused":
            name = {"temperature": "temperature", "schema": "response_format"}[str(row.option)]
            assert (name in before, name in after) == (True, False)


UNKNOWN = {
    "names an option": ("wert fuer 'temperature' ungueltig", Sent(frozenset({"temperature"})), "refused"),
    "names another option": ("bad value for top_k", Sent(frozenset({"temperature"})), None),
    "names an option that was not sent": ("bad temperature", Sent(frozenset({"schema"})), None),
    "part of a word": ("temperatures_list is wrong", Sent(frozenset({"temperature"})), None),
    "two figures": ("your 41,200 tokens do not fit into 32,768", Sent(), "context"),
    "two figures that fit": ("used 100 tokens of 32768, but the model is gone", Sent(), None),
    "two figures of something else": ("image is 4000 x 3000", Sent(), None),
    "own limit": ("max_new_tokens 16384 is above 4096", Sent(frozenset({"limit"}), 16384), "completion"),
}


@pytest.mark.parametrize("name", UNKNOWN)
def test_unknown_wordings_are_read_by_what_was_sent(name: str) -> None:
    text, sent, kind = UNKNOWN[name]
    for status in (400, 422):
        verdict = read_wording(status, text, sent)
        assert (verdict and verdict.kind) == kind
    assert read_wording(500, text, sent) is None, "a server that fails has refused nothing"


def test_a_request_that_an_error_sends_back_is_not_read() -> None:
    body = {"detail": [{"loc": ["body", "stream"], "msg": "wrong", "input": {"messages": "maximum context length"}}]}
    assert "context" not in told(body, str(body))
    assert read_wording(422, told(body, str(body)), Sent(frozenset({"temperature"}))) is None


def test_two_requests_in_flight_both_survive_what_one_has_learnt(llm_server: Any) -> None:
    """Both are sent with the option, both are refused; the second learns nothing new and is sent again all the same."""
    together = threading.Barrier(2, timeout=20)
    client = _client(llm_server, "openai")
    send = client.transport.send

    def at_once(request: Any) -> Any:
        if request.temperature is not None:
            together.wait()
        return send(request)

    client.transport.send = at_once
    refuse = llm_server.refusing(400, "invalid temperature: only 1 is allowed for this model")
    llm_server.then(refuse, refuse)
    calls: list[Any] = []
    threads = [threading.Thread(target=lambda: calls.append(client.complete(HELLO))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert [call.retries for call in calls] == [1, 1]


def test_a_model_that_knows_no_limit_under_any_name_gets_none(llm_server: Any) -> None:
    llm_server.then(
        llm_server.refusing(400, "unknown field max_tokens"),
        llm_server.refusing(400, "unknown field max_completion_tokens"),
    )
    client = _client(llm_server, "openai")
    assert client.complete(HELLO).retries == 2
    client.complete(HELLO)
    named = [{"max_tokens", "max_completion_tokens"} & set(received.body) for received in llm_server.received]
    assert [len(names) for names in named] == [1, 1, 0, 0]


def test_a_server_that_refuses_everything_is_asked_a_few_times_only(llm_server: Any) -> None:
    llm_server.always = llm_server.refusing(400, "temperature, response_format, max_tokens: no")
    with pytest.raises(ModelError, match="bad_request"):
        _client(llm_server, "openai").complete(HELLO, schema=SCHEMA)
    assert len(llm_server.received) <= 7


def test_the_completion_shrinks_before_the_prompt_does(llm_server: Any) -> None:
    """A server of 32k: 16,384 for the answer leave too little for a page that fits by itself."""
    said = (
        "This model's maximum context length is 32768 tokens. However, you requested 39384 tokens"
        " (23000 in the messages, 16384 in the completion)."
    )
    llm_server.then(llm_server.refusing(400, said))
    client = _client(llm_server, "openai", max_new=16_384)
    client.complete(LONG)
    client.complete(LONG)
    limits = [received.body["max_tokens"] for received in llm_server.received]
    assert limits[0] == 16_384
    assert 256 <= limits[1] <= 32_768 - 23_000
    assert limits[2] < 16_384, "what was learnt holds for the next call"
    assert len(limits) == 3


def test_a_prompt_that_cannot_fit_is_given_up_at_once(llm_server: Any) -> None:
    llm_server.always = llm_server.refusing(400, "prompt is too long: 219898 tokens > 200000 maximum")
    with pytest.raises(ModelError) as raised:
        _client(llm_server, "openai").complete(HELLO)
    assert (raised.value.limit, len(llm_server.received)) == (200_000, 1)


def test_a_refused_system_turn_goes_before_an_image_too(llm_server: Any) -> None:
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    llm_server.then(llm_server.refusing(400, "System role not supported"))
    _client(llm_server, "openai").complete([HELLO[0], {"role": "user", "content": [image]}])
    [turn] = llm_server.received[1].body["messages"]
    assert [part["type"] for part in turn["content"]] == ["text", "image_url"]
