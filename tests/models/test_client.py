"""The client against a server that fails in every way: what is retried, what is recorded, what it costs."""

from __future__ import annotations

import time
from typing import Any

import pytest

from focusagent.models.client import make_client
from focusagent.models.failure import Failure, ModelError
from focusagent.models.retry import RetryPolicy

HELLO = [{"role": "system", "content": "Be short."}, {"role": "user", "content": "Hello"}]
MODELS = ["gpt-4.1-mini", "claude-3-7-sonnet-20250219"]


@pytest.fixture(params=MODELS)
def model(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_a_call_carries_answer_tokens_and_price(llm_server: Any, model: str) -> None:
    llm_server.answer = "Hi"
    call = make_client(model).complete(HELLO, label="greeting")
    assert (call.answer, call.label, call.retries, call.error, call.estimated) == ("Hi", "greeting", 0, "", False)
    assert call.input_tokens > 0
    price_in, price_out = (0.4e-6, 1.6e-6) if model.startswith("gpt") else (3e-6, 15e-6)
    assert call.cost == pytest.approx(call.input_tokens * price_in + call.output_tokens * price_out)
    assert llm_server.received[0].body["model"] == model


def test_system_text_goes_where_the_provider_wants_it(llm_server: Any, model: str) -> None:
    make_client(model).complete(HELLO)
    body = llm_server.received[0].body
    roles = [message["role"] for message in body["messages"]]
    assert (body.get("system"), roles) == (
        ("Be short.", ["user"]) if model.startswith("claude") else (None, ["system", "user"])
    )


PASSING = {
    "rate limit": (lambda s: s.status(429, "slow down"), Failure.RATE_LIMITED),
    "server": (lambda s: s.status(503, "overloaded"), Failure.SERVER_ERROR),
    "overloaded at Anthropic": (lambda s: s.status(529, "overloaded"), Failure.SERVER_ERROR),
    "dropped": (lambda s: s.dropped(), Failure.CONNECTION),
    "timeout": (lambda s: s.slow(2), Failure.TIMEOUT),
    "nothing in it": (lambda s: s.lacking("choices", "content"), Failure.EMPTY_ANSWER),
    "not a completion": (lambda s: s.raw("<html>gateway</html>"), Failure.SERVER_ERROR),
}


@pytest.mark.parametrize("kind", PASSING)
def test_what_passes_is_retried_and_counted(llm_server: Any, model: str, kind: str) -> None:
    failing, _ = PASSING[kind]
    llm_server.then(failing(llm_server), failing(llm_server))
    call = make_client(model, timeout=0.5).complete(HELLO)
    assert (call.retries, call.error) == (2, "")
    assert len(llm_server.received) == 3, "no other retry layer multiplies ours"


@pytest.mark.parametrize("kind", PASSING)
def test_retries_are_bounded_and_the_reason_is_named(llm_server: Any, model: str, kind: str) -> None:
    failing, failure = PASSING[kind]
    llm_server.always = failing(llm_server)
    with pytest.raises(ModelError) as raised:
        make_client(model, timeout=0.3, retry=RetryPolicy(3, 0.0, 0.0)).complete(HELLO)
    error = raised.value
    assert error.failure == failure
    assert len(llm_server.received) == 3
    assert error.call is not None
    assert (error.call.retries, error.call.error) == (2, str(error))
    assert "\n" not in str(error)


LASTING = {
    "bad key": (lambda s: s.status(401, "invalid x-api-key"), Failure.AUTH),
    "forbidden": (lambda s: s.status(403, "not for you"), Failure.AUTH),
    "no such model": (lambda s: s.status(404, "model not found"), Failure.BAD_REQUEST),
    "too long": (
        lambda s: s.status(
            400,
            "This model's maximum context length is 12 tokens. Your messages resulted in 30 tokens.",
            "context_length_exceeded",
        ),
        Failure.CONTEXT_LENGTH,
    ),
    "too long at Anthropic": (
        lambda s: s.status(400, "prompt is too long: 222000 tokens > 200000 maximum"),
        Failure.CONTEXT_LENGTH,
    ),
    "payload": (lambda s: s.status(413, "Request Entity Too Large"), Failure.CONTEXT_LENGTH),
    "filtered": (lambda s: s.status(400, "jailbreak: detected", "content_filter"), Failure.REFUSED),
    "bad request": (lambda s: s.status(400, "messages: wrong"), Failure.BAD_REQUEST),
    "no money": (lambda s: s.status(429, "insufficient_quota: check your plan"), Failure.RATE_LIMITED),
}


@pytest.mark.parametrize("kind", LASTING)
def test_what_lasts_is_not_retried(llm_server: Any, model: str, kind: str) -> None:
    failing, failure = LASTING[kind]
    llm_server.always = failing(llm_server)
    with pytest.raises(ModelError) as raised:
        make_client(model).complete(HELLO)
    assert raised.value.failure == failure
    assert len(llm_server.received) == 1
    assert raised.value.call is not None
    assert raised.value.call.cost == 0.0, "what the provider turned down is not billed"


@pytest.mark.parametrize(
    ("message", "limit"), [("maximum context length is 8192 tokens", 8192), ("9 > 200000 maximum", 200000)]
)
def test_a_limit_that_the_provider_names_is_read(llm_server: Any, message: str, limit: int) -> None:
    llm_server.always = llm_server.status(400, f"{message}, prompt is too long")
    with pytest.raises(ModelError) as raised:
        make_client("gpt-4.1-mini").complete(HELLO)
    assert raised.value.limit == limit


def test_refusals_are_told_from_answers(llm_server: Any) -> None:
    for extra in ({"refusal": "I will not."}, {"finish_reason": "content_filter"}):
        llm_server.then(llm_server.with_message(**extra))
        with pytest.raises(ModelError) as raised:
            make_client("gpt-4.1-mini").complete(HELLO)
        assert raised.value.failure == Failure.REFUSED
    llm_server.then(llm_server.with_message(stop_reason="refusal"))
    with pytest.raises(ModelError) as raised:
        make_client("claude-3-7-sonnet-20250219").complete(HELLO)
    assert raised.value.failure == Failure.REFUSED


def test_retry_after_is_obeyed_up_to_the_cap(llm_server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr(time, "sleep", waits.append)
    client = make_client("gpt-4.1-mini", retry=RetryPolicy(attempts=4, first_wait=2, longest_wait=60))
    llm_server.then(
        llm_server.status(429, retry_after="7"),
        llm_server.status(429, retry_after="100000"),
        llm_server.status(503, retry_after="Wed, 21 Oct 2015 07:28:00 GMT"),
    )
    assert client.complete(HELLO).retries == 3
    assert waits == [7, 60, 0]


def test_waits_grow_without_retry_after_and_can_be_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    policy = RetryPolicy()
    error = ModelError(Failure.SERVER_ERROR, "x")
    assert all(1.5 * 2**retry <= policy.wait(retry, error) <= 2.5 * 2**retry for retry in range(3))
    assert policy.wait(20, error) == policy.longest_wait
    monkeypatch.setenv("FOCUSAGENT_RETRY_WAIT", "0")
    off = RetryPolicy.from_environment()
    assert off.wait(3, ModelError(Failure.RATE_LIMITED, "x", retry_after=30)) == 0


def test_unreported_usage_is_an_estimate_without_a_cost(llm_server: Any) -> None:
    llm_server.then(llm_server.lacking("usage"))
    call = make_client("gpt-4.1-mini").complete(HELLO)
    assert call.estimated
    assert call.input_tokens > 0
    assert call.cost is None, "not measured is not free"


def test_an_unknown_price_stays_unknown(llm_server: Any) -> None:
    assert make_client("some-local-model").complete(HELLO).cost is None


@pytest.mark.parametrize(
    ("model", "usage", "cost"),
    [
        (
            "gpt-4.1-mini",
            {"prompt_tokens": 1000, "completion_tokens": 10, "prompt_tokens_details": {"cached_tokens": 800}},
            200 * 0.4e-6 + 800 * 0.1e-6 + 10 * 1.6e-6,
        ),
        (
            "claude-3-7-sonnet-20250219",
            {
                "input_tokens": 200,
                "output_tokens": 10,
                "cache_read_input_tokens": 700,
                "cache_creation_input_tokens": 100,
            },
            200 * 3e-6 + 700 * 0.3e-6 + 100 * 3.75e-6 + 10 * 15e-6,
        ),
    ],
)
def test_cached_input_has_its_own_price(llm_server: Any, model: str, usage: dict[str, Any], cost: float) -> None:
    llm_server.then(llm_server.ok("Hi", **usage))
    call = make_client(model).complete(HELLO)
    assert (call.input_tokens, call.cached_tokens) == (1000, 800 if model.startswith("gpt") else 700)
    assert call.cost == pytest.approx(cost)


def test_content_in_parts_and_separate_reasoning(llm_server: Any) -> None:
    parts = [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]
    llm_server.then(llm_server.with_message(content=parts, reasoning_content="I thought."))
    call = make_client("gpt-4.1-mini").complete(HELLO)
    assert (call.answer, call.reasoning) == ("one\ntwo", "I thought.")
    llm_server.then(llm_server.with_message(content=None))
    assert make_client("gpt-4.1-mini").complete(HELLO).answer == ""


def test_images_reach_both_protocols(llm_server: Any, model: str) -> None:
    url = "data:image/png;base64,AAAA"
    content = [{"type": "image_url", "image_url": {"url": url}}, {"type": "text", "text": "What is it?"}]
    make_client(model).complete([{"role": "user", "content": content}])
    image = llm_server.received[0].body["messages"][0]["content"][0]
    if model.startswith("gpt"):
        assert image == content[0]
    else:
        assert image == {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}}


def test_text_that_cannot_be_encoded_is_sent_all_the_same(llm_server: Any, model: str) -> None:
    make_client(model).complete([{"role": "user", "content": "a \ud800 b <|endoftext|>"}])
    assert llm_server.received[0].body["messages"][0]["content"] == "a ? b <|endoftext|>"


def test_an_option_that_the_model_refuses_is_left_out_for_good(llm_server: Any) -> None:
    refuse = llm_server.status(400, "Unsupported value: 'temperature' does not support 0.1 with this model.")
    llm_server.then(refuse)
    client = make_client("some-new-model")
    client.complete(HELLO, temperature=0.1)
    client.complete(HELLO, temperature=0.1)
    assert ["temperature" in received.body for received in llm_server.received] == [True, False, False]


def test_litellm_speaks_for_all_others(llm_server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from agentlab.llm.litellm_api import LiteLLMModelArgs

    args = LiteLLMModelArgs("openai/gpt-4.1-mini", base_url=llm_server.url, api_key="k", max_new_tokens=100)
    llm_server.then(llm_server.status(503), llm_server.ok("Hi"))
    call = make_client(args).complete(HELLO)
    assert (call.answer, call.retries) == ("Hi", 1)
    assert call.cost == pytest.approx(call.input_tokens * 0.4e-6 + call.output_tokens * 1.6e-6)
    assert len(llm_server.received) == 2
    llm_server.always = llm_server.status(401, "bad key")
    with pytest.raises(ModelError, match="auth"):
        make_client(args).complete(HELLO)
