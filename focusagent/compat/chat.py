"""BrowserGym opens a second browser for its chat window, headless too, where nobody can see it or type into it.

That browser is a third of a short episode's time and half of its processes. `skip_unseen_chat_windows` leaves it out
where the environment is headless and records no video; messages are kept as before."""

from __future__ import annotations

import time
from typing import Any

import browsergym.core.env as browsergym_env
from browsergym.core.chat import Chat


class UnseenChat(Chat):
    """BrowserGym's chat without a page."""

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []
        self.recording_start_time: float | None = None

    def add_message(self, role: str, msg: str) -> None:
        """Keep a message as Chat does. Raises ValueError for a role that it does not know."""
        if role not in ("user", "user_image", "assistant", "info", "infeasible"):
            raise ValueError(f"Invalid role: {role}")
        if role != "info":
            self.messages.append({"role": role, "timestamp": time.time(), "message": msg})

    def wait_for_user_message(self) -> None:
        """Nobody can type into a window that is not there. Raises RuntimeError."""
        raise RuntimeError("a headless environment has no chat window to wait at")

    def close(self) -> None:
        """Nothing is open."""


def _chat(headless: bool, record_video_dir: Any = None, **settings: Any) -> Chat:
    if headless and not record_video_dir:
        return UnseenChat()
    return Chat(headless=headless, record_video_dir=record_video_dir, **settings)


def skip_unseen_chat_windows() -> None:
    """From now on, in this process."""
    browsergym_env.Chat = _chat
