"""An observation made safe before it is counted, prompted, pickled or shown. Pure: neither AgentLab nor BrowserGym."""

from __future__ import annotations

import re
from typing import Any

CALL_LOG = "Call log:"
MAX_BLANKS = 10_000
_BLANKS = re.compile(r"[^\S\n]+")
_SPECIAL_TOKEN = re.compile(r"<\|([^\s|<>]+)\|>")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_INLINE_TEXT_BOX = re.compile(r"^\s*(?:\[[A-Za-z0-9]+\] )?InlineTextBox(?:[ ,]|$)")


def drop_inline_text_boxes(axtree_text: str) -> str:
    """The tree without the lines in which newer Chromium repeats each text; they have no children."""
    if "InlineTextBox" not in axtree_text:
        return axtree_text
    return "\n".join(line for line in axtree_text.split("\n") if not _INLINE_TEXT_BOX.match(line))


def neutralise_special_tokens(text: str) -> str:
    """`<|endoftext|>` and its like become `< |endoftext| >`: as readable, but no longer a special token to a tokenizer.

    tiktoken raises on such text and chat templates take it for the end of a turn, so any page could end an episode.
    The whole pattern is covered, not a list of names; a second run changes nothing.
    """
    return _SPECIAL_TOKEN.sub(r"< |\1| >", text) if "<|" in text else text


def clean_strings(value: Any) -> Any:
    """The same value with every string in it, keys included, free of special tokens, lone surrogates, endless blanks.

    Goes through dicts, lists and tuples at any depth; arrays and other objects stay as they are. Lone surrogates become
    U+FFFD, since neither a file nor a browser takes them. The input is not changed.
    """
    match value:
        case str():
            return _clean(value)
        case dict():
            return {clean_strings(key): clean_strings(item) for key, item in value.items()}
        case list():
            return [clean_strings(item) for item in value]
        case tuple():
            return tuple(clean_strings(item) for item in value)
    return value


def _clean(text: str) -> str:
    text = text if text.isascii() else _LONE_SURROGATE.sub("\ufffd", text)
    return neutralise_special_tokens(_shorten_blanks(text))


def _shorten_blanks(text: str) -> str:
    """Runs of blanks cut to MAX_BLANKS: tokenizers give up on a million of them, which would end an episode."""
    if len(text) <= MAX_BLANKS:
        return text
    return _BLANKS.sub(lambda match: match[0][:MAX_BLANKS], text)


def one_call_log(error: str) -> str:
    """The error with a single "Call log:"; each later one loses its colon.

    Playwright's error quotes page elements, which may say "Call log:" themselves; AgentLab's prompt splits at it and
    raises on two.
    """
    head, separator, logs = error.partition(CALL_LOG)
    return head + separator + logs.replace(CALL_LOG, CALL_LOG.removesuffix(":"))


def root_if_empty(axtree_object: dict[str, Any]) -> dict[str, Any]:
    """A tree without nodes (a page that is gone) as one empty root, which BrowserGym can print: it indexes node 0."""
    if axtree_object["nodes"]:
        return axtree_object
    root = {"nodeId": "0", "role": {"value": "RootWebArea"}, "name": {"value": ""}, "childIds": []}
    return {**axtree_object, "nodes": [root]}
