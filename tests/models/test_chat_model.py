"""The backbone on our client: what AgentLab gets from it."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from agentlab.llm.chat_api import OpenAIModelArgs
from agentlab.llm.llm_utils import Discussion, HumanMessage, SystemMessage
from agentlab.llm.tracking import set_tracker

from focusagent.models.chat_model import ClientChatModel, our_model
from focusagent.models.failure import ConfigError, ModelError
from focusagent.scripted.model import ScriptedModel, ScriptedModelArgs

ARGS = OpenAIModelArgs("gpt-4.1", max_total_tokens=100_000, max_new_tokens=500, temperature=0.1)


def discussion() -> Discussion:
    human = HumanMessage([{"type": "text", "text": "one"}, {"type": "text", "text": "two"}])
    return Discussion([SystemMessage("Be short."), human])


def test_a_discussion_goes_in_and_an_assistants_message_comes_out(llm_server: Any) -> None:
    llm_server.answer = "Hi"
    assert our_model(ARGS)(discussion()) == {"role": "assistant", "content": "Hi", "log_probs": None}
    assert llm_server.received[0].body["messages"][1]["content"] == "one\ntwo"


def test_agentlabs_tracker_hears_of_each_call_once(llm_server: Any) -> None:
    model = our_model(ARGS)
    with set_tracker() as tracker:
        model(discussion())
        llm_server.then(llm_server.status(503))
        model(discussion())
    stats = model.get_stats()
    assert stats["n_retry_llm"] == 2
    assert stats["backbone_retries"] == 1
    assert tracker.cost == pytest.approx(stats["backbone_cost"])
    assert tracker.input_tokens == stats["backbone_input_tokens"] > 0
    assert model.get_stats()["backbone_cost"] == 0, "a step is counted once"


def test_an_unknown_price_has_a_flag(llm_server: Any) -> None:
    model = our_model(OpenAIModelArgs("some-local-model", max_new_tokens=10))
    model(discussion())
    model.get_stats()
    assert model.cost_unknown


def test_a_backbone_that_stays_down_raises(llm_server: Any) -> None:
    llm_server.always = llm_server.status(500)
    with pytest.raises(ModelError, match="server_error"):
        our_model(ARGS)(discussion())


def test_other_args_make_their_own_model() -> None:
    assert isinstance(our_model(ScriptedModelArgs()), ScriptedModel)


def test_settings_that_never_work_fail_before_the_first_call(no_keys: None) -> None:
    with pytest.raises(ConfigError, match="OPENAI_API_KEY"):
        our_model(ARGS)


def test_args_stay_picklable_after_a_model_was_made(llm_server: Any) -> None:
    assert isinstance(our_model(ARGS), ClientChatModel)
    assert pickle.loads(pickle.dumps(ARGS)) == ARGS
