"""The other roads from a page to the backbone, closed for defence agents.

Sanitising the tree is worth nothing where the same text arrives in an error message, a tab's title, a chat message that
quotes the page or a thought of an earlier step. All functions are pure; observations are plain dictionaries."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from focusagent.actions import Call, attempts, calls
from focusagent.axtree import AxTree
from focusagent.security.detect import detect
from focusagent.security.dialogs import BID
from focusagent.security.origins import origin_of
from focusagent.security.sanitise import runs, words_of

WITHHELD = "(text withheld)"
HTML_KEYS = ("dom_txt", "pruned_html")
_RAW: dict[str, Any] = {
    "axtree_object": {
        "nodes": [
            {"nodeId": "0", "role": {"value": "RootWebArea"}, "name": {"value": ""}, "properties": [], "childIds": []}
        ]
    },
    "dom_object": {"documents": [], "strings": []},
    "extra_element_properties": {},
}
_TRUSTED = frozenset(
    "goal goal_object last_action axtree_txt dom_txt pruned_html screenshot screenshot_som active_page_index"
    " elapsed_time element_boxes bids_in_forms axtree_object dom_object extra_element_properties".split()
)
_KNOWN = _TRUSTED | frozenset(
    "last_action_error open_pages_titles open_pages_urls url focused_element_bid chat_messages".split()
)
_ERROR = re.compile(r"[A-Z][A-Za-z]{2,40}(?=:)")
_ERRORS = frozenset("TimeoutError ValueError NameError TypeError KeyError Error AssertionError".split())
_CAUSES = {
    "intercepts pointer events": "another element covers it",
    "Could not find element": "there is no such element",
    "element is not visible": "it is not visible",
    "element is not enabled": "it is disabled",
    "not an <input>": "it takes no text",
    "did not find some options": "it has no such option",
    "outside of the viewport": "it is outside of the viewport",
    "Invalid action type": "there is no such action",
    "empty action": "no action was given",
    "multi-action": "only one action is allowed at a time",
    "net::ERR": "the page could not be opened",
    "Timeout": "it took too long",
}


def close_roads(obs: dict[str, Any]) -> dict[str, Any]:
    """The observation without HTML and raw trees, page text in errors, tab titles, paths of tab URLs, and quotations in
    the chat. Texts under keys that are not BrowserGym's own are vetted like a page's."""
    closed = _without_page(obs)
    closed["last_action_error"] = neutral_error(obs.get("last_action_error") or "", obs.get("last_action") or "")
    titles, urls = obs.get("open_pages_titles") or (), obs.get("open_pages_urls") or ()
    closed["open_pages_titles"] = tuple(f"tab {number}" for number in range(len(titles)))
    closed["open_pages_urls"] = tuple(str(origin_of(str(url)) or "") for url in urls)
    if "url" in obs:
        closed["url"] = str(origin_of(str(obs["url"])) or "")
    if not BID.fullmatch(str(obs.get("focused_element_bid") or "")):
        closed["focused_element_bid"] = ""
    if "chat_messages" in obs:
        chat = (message for message in obs["chat_messages"] or () if isinstance(message, dict) and "role" in message)
        closed["chat_messages"] = [_message(message) for message in chat]
    for key in closed.keys() - _KNOWN:
        closed[key] = _vetted_value(closed[key])
    return closed


def shut_roads(obs: dict[str, Any]) -> dict[str, Any]:
    """The observation with nothing of the page but its tree, which is vetted by itself: for when roads cannot be told
    apart."""
    shut = {key: value for key, value in _without_page(obs).items() if key in _TRUSTED}
    chat = obs.get("chat_messages")
    users = [message for message in chat if _is_users(message)] if isinstance(chat, list | tuple) else []
    return shut | {
        "last_action_error": "Error: it failed" if obs.get("last_action_error") else "",
        "open_pages_titles": (),
        "open_pages_urls": (),
        "url": "",
        "focused_element_bid": "",
        "chat_messages": users,
    }


def empty_observation(obs: dict[str, Any]) -> dict[str, Any]:
    """The observation of a page that could not be read: the user's goal, and an empty page."""
    return shut_roads(obs) | {"axtree_txt": "RootWebArea ''", "dom_txt": "", "pruned_html": ""}


def _without_page(obs: dict[str, Any]) -> dict[str, Any]:
    empty = {key: "" for key in HTML_KEYS if obs.get(key)} | {key: value for key, value in _RAW.items() if key in obs}
    return obs | empty


def _vetted_value(value: Any) -> Any:
    """A value whose texts, at any depth of lists and dictionaries, carry no attack."""
    if isinstance(value, str):
        return WITHHELD if carries_attack(value) else value
    if isinstance(value, list | tuple):
        return [*map(_vetted_value, value)]
    return {key: _vetted_value(item) for key, item in value.items()} if isinstance(value, dict) else value


def neutral_error(error: str, action: str = "") -> str:
    """An error as its kind, the agent's own action and bid, and a cause in our words: Playwright quotes the page."""
    if not error:
        return ""
    match = _ERROR.match(error)
    kind = match[0] if match and match[0] in _ERRORS else "Error"
    cause = next((words for mark, words in _CAUSES.items() if mark in error), "it failed")
    call = next(iter(calls(action)), None)
    bid = call.argument(0, "bid") if call else ""
    if call and BID.fullmatch(bid) and bid:
        return f"{kind}: {call.name} on [{bid}]: {cause}"
    return f"{kind}: {cause}"


def vet_texts(texts: Sequence[str | None], withheld: Iterable[str] = (), goal: str = "") -> list[str | None]:
    """Earlier thoughts and the like: a text that carries an attack, or a run of withheld words, is withheld whole.

    `withheld` are texts that the backbone must not see; the goal's own words do not count."""
    attacked = {run for text in withheld for run in runs(words_of(text))}.difference(runs(words_of(goal)))
    return [
        WITHHELD if text and (carries_attack(text, goal) or not attacked.isdisjoint(runs(words_of(text)))) else text
        for text in texts
    ]


def vet_actions(actions: Sequence[str | None], withheld: Iterable[str] = (), goal: str = "") -> list[str | None]:
    """Earlier actions: one whose arguments repeat what must not be seen keeps its name and its bid."""
    vetted = vet_texts([_arguments(action or "") for action in actions], withheld, goal)
    return [
        _bare_call(action) if action and text == WITHHELD else action
        for action, text in zip(actions, vetted, strict=True)
    ]


def _arguments(action: str) -> str:
    """What an action says; all of it where it does not read as a call."""
    found = list(attempts(action))
    if not found or not all(call.readable for call in found):
        return action
    return " ".join(str(value) for call in found for value in (*call.positional, *call.named.values()))


def _bare_call(action: str) -> str:
    call = next(attempts(action), Call("noop"))
    bid = call.argument(0, "bid")
    return f"{call.name}({bid!r}, {WITHHELD!r})" if bid and BID.fullmatch(bid) else f"{call.name}({WITHHELD!r})"


def carries_attack(text: str, goal: str = "") -> bool:
    """Whether the rules would flag this text if a page said it."""
    return bool(detect(AxTree.parse(f"StaticText {text!r}", "browsergym"), goal))


def _message(message: dict[str, Any]) -> dict[str, Any]:
    """A chat message; the user's own are trusted, what others say may quote the page."""
    text = message.get("message")
    if _is_users(message) or text is None or (isinstance(text, str) and not carries_attack(text)):
        return message
    return message | {"message": WITHHELD}


def _is_users(message: Any) -> bool:
    return isinstance(message, dict) and message.get("role") == "user"
