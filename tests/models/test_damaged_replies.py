"""A reply that has arrived is paid for: whatever is wrong with its figures, the answer and what is known survive."""

from __future__ import annotations

import math
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from focusagent.models.call import Call
from focusagent.models.client import ChatClient, make_client
from focusagent.models.endpoint import Endpoint
from focusagent.models.failure import Failure, ModelError
from focusagent.models.retry import RetryPolicy

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # LiteLLM warns about its own types
HELLO = [{"role": "user", "content": "Hello"}]
ANSWER = "Hi there"
GONE = object()
DAMAGE = [GONE, None, {}, [], {"total_cost": 0.25}, [1], "x", "12", "", -1, -0.5, 0, True, 10**30, 1e300]
OPENAI: dict[str, Any] = {
    "id": "chat-1",
    "object": "chat.completion",
    "created": 0,
    "model": "a-model",
    "system_fingerprint": "fp",
    "choices": [
        {
            "index": 0,
            "finish_reason": "stop",
            "logprobs": None,
            "message": {"role": "assistant", "content": ANSWER, "reasoning_content": "I thought.", "tool_calls": None},
        }
    ],
    "usage": {
        "prompt_tokens": 100,
        "completion_tokens": 10,
        "total_tokens": 110,
        "cost": 0.5,
        "prompt_tokens_details": {"cached_tokens": 40, "cache_creation_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": 3},
    },
}
ANTHROPIC: dict[str, Any] = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "a-model",
    "content": [{"type": "thinking", "thinking": "I thought."}, {"type": "text", "text": ANSWER}],
    "stop_reason": "end_turn",
    "stop_sequence": None,
    "usage": {
        "input_tokens": 60,
        "output_tokens": 10,
        "cache_read_input_tokens": 40,
        "cache_creation_input_tokens": 0,
        "server_tool_use": {"web_search_requests": 0},
    },
}
REPLIES = {"openai": OPENAI, "anthropic": ANTHROPIC, "litellm": OPENAI}
# Without these there is no answer.
NEEDED = {
    ("choices",),
    ("choices", 0),
    ("choices", 0, "message"),
    ("choices", 0, "message", "content"),
    ("content",),
    ("content", 0),
    ("content", 0, "type"),
    ("content", 1),
    ("content", 1, "type"),
    ("content", 1, "text"),
}
Path = tuple[Any, ...]


def _paths(data: Any, above: Path = ()) -> list[Path]:
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [path for key, value in items for path in ((*above, key), *_paths(value, (*above, key)))]


def _damaged(reply: dict[str, Any], wounds: list[tuple[Path, Any]]) -> dict[str, Any]:
    """The deepest first, so that a field which is gone takes nothing away from the others."""
    reply = deepcopy(reply)
    for path, value in sorted(wounds, key=lambda wound: -len(wound[0])):
        place: Any = reply
        for key in path[:-1]:
            place = place[key]
        if value is GONE and isinstance(place, dict):
            place.pop(path[-1], None)
        else:
            place[path[-1]] = None if value is GONE else deepcopy(value)
    return reply


def _client(server: Any, protocol: Any) -> ChatClient:
    model = "openai/gpt-4.1" if protocol == "litellm" else "gpt-4.1"
    address = server.root if protocol == "anthropic" else server.url
    provider = "self-hosted" if protocol == "openai" else protocol
    return make_client(Endpoint(model, provider, protocol, address, key="k"), retry=RetryPolicy(2, 0.0, 0.0))


def _check(call: Call) -> None:
    assert 0 <= call.input_tokens <= 10**9
    assert 0 <= call.output_tokens <= 10**9
    assert call.cached_tokens >= 0
    assert call.cost is None or (math.isfinite(call.cost) and call.cost >= 0)


@pytest.mark.parametrize("protocol", REPLIES)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_an_answer_survives_any_damage_to_the_rest(llm_server: Any, protocol: str, data: st.DataObject) -> None:
    reply = REPLIES[protocol]
    wound = st.tuples(st.sampled_from(_paths(reply)), st.sampled_from(DAMAGE))
    wounds = data.draw(st.lists(wound, min_size=1, max_size=3, unique_by=lambda drawn: drawn[0]))
    llm_server.reset()
    llm_server.always = llm_server.body(_damaged(reply, wounds))
    call, failed = _asked(_client(llm_server, protocol))
    _check(call)
    if not NEEDED & {path for path, _ in wounds}:
        assert (failed, call.answer, len(llm_server.received)) == ("", ANSWER, 1)


def _asked(client: ChatClient) -> tuple[Call, str]:
    """The record of a call, and why it failed."""
    try:
        return client.complete(HELLO), ""
    except ModelError as error:
        if error.call is None:
            raise
        return error.call, str(error)


@dataclass
class DamagedArgs:
    """Args of a user's own model: what it says, and what it tells AgentLab's tracker."""

    answer: Any
    figures: dict[str, Any]
    model_name: str = "own"

    def make_model(self) -> Any:
        from agentlab.llm import tracking

        def model(messages: Any) -> Any:
            tracker = tracking.TRACKER.instance
            for name, value in self.figures.items():
                setattr(tracker, name, value)
            return self.answer

        return model


@given(
    figures=st.dictionaries(
        st.sampled_from(["input_tokens", "output_tokens", "cost"]), st.sampled_from(DAMAGE[1:]), min_size=1
    ),
    answer=st.sampled_from([ANSWER, {"content": ANSWER}, {"role": "assistant", "content": [{"text": ANSWER}, ANSWER]}]),
)
def test_a_users_own_model_may_report_anything(figures: dict[str, Any], answer: Any) -> None:
    call = make_client(DamagedArgs(answer, figures)).complete(HELLO)
    _check(call)
    assert call.answer == ANSWER


@pytest.mark.parametrize(
    ("cost", "known"),
    [({"total_cost": 0.25, "input_cost": 0.1}, 0.25), ({"total": "0.25"}, 0.25), ("0.25", 0.25), (0.25, 0.25)],
)
def test_a_cost_is_read_where_it_can_be(llm_server: Any, cost: Any, known: float) -> None:
    llm_server.then(llm_server.ok("Hi", prompt_tokens=10, completion_tokens=2, cost=cost))
    assert make_client("some-model").complete(HELLO).cost == known


@pytest.mark.parametrize("field", ["reasoning", "reasoning_content"])
def test_an_answer_among_the_thoughts_is_read(llm_server: Any, field: str) -> None:
    llm_server.then(llm_server.with_message(content=None, **{field: ANSWER}))
    assert make_client("some-model").complete(HELLO).answer == ANSWER
    llm_server.then(llm_server.with_message(content=None, finish_reason="length", **{field: "I was think"}))
    assert make_client("some-model").complete(HELLO).answer == "", "thoughts that were cut off are no answer"


def test_a_prompt_that_the_server_cut_is_a_context_length(llm_server: Any) -> None:
    page = [{"role": "user", "content": "word " * 7_700}]
    llm_server.then(llm_server.ok("Hi", prompt_tokens=2_050, completion_tokens=5, cost=0.01))
    with pytest.raises(ModelError, match="num_ctx") as raised:
        make_client("some-model").complete(page)
    assert (raised.value.failure, raised.value.limit) == (Failure.CONTEXT_LENGTH, 2_050)
    assert raised.value.call is not None
    assert raised.value.call.cost == 0.01, "the reply that was not used is paid for"
    llm_server.then(llm_server.ok("Hi", prompt_tokens=6_000, completion_tokens=5))
    assert make_client("some-model").complete(page).answer == "Hi", "another tokenizer counts otherwise"


def test_an_empty_reply_that_was_paid_for_is_added_to_the_next_one(llm_server: Any) -> None:
    empty = {"choices": [], "usage": {"prompt_tokens": 100, "completion_tokens": 50, "cost": 0.5}}
    full = {**OPENAI, "usage": {"prompt_tokens": 100, "completion_tokens": 10, "cost": 0.25}}
    llm_server.then(llm_server.body(empty), llm_server.body(full))
    call = make_client("some-model").complete(HELLO)
    assert (call.retries, call.input_tokens, call.output_tokens, call.cost) == (1, 200, 60, 0.75)
