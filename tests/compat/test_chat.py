"""The chat window that nobody sees, against BrowserGym's own environment."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from browsergym.core.action.highlevel import HighLevelActionSet
from browsergym.core.chat import Chat

from focusagent.compat.chat import UnseenChat
from focusagent.environments import FocusEnvArgs


@pytest.fixture
def env(tmp_path: Path) -> Any:
    args = FocusEnvArgs(task_name="miniwob.click-test", task_seed=0)
    made = args.make_env(HighLevelActionSet(subsets=("chat", "bid")).to_python_code, tmp_path)
    yield made
    made.close()


def test_messages_reach_observations_as_with_a_window(env: Any) -> None:
    obs, _ = env.reset(seed=0)
    assert isinstance(env.unwrapped.chat, UnseenChat)
    assert isinstance(env.unwrapped.chat, Chat)
    before = len(obs["chat_messages"])
    obs, *_ = env.step("send_msg_to_user('done')")
    assert [message["role"] for message in obs["chat_messages"][before:]] == ["assistant"]
    assert obs["chat_messages"][-1]["message"] == "done"


def test_what_needs_a_window_is_refused() -> None:
    chat = UnseenChat()
    chat.add_message("info", "not kept")
    assert chat.messages == []
    with pytest.raises(ValueError, match="Invalid role"):
        chat.add_message("stranger", "hello")
    with pytest.raises(RuntimeError, match="no chat window"):
        chat.wait_for_user_message()
