import json
import pickle
from typing import Any

import pytest
import tiktoken
from agentlab.agents.dynamic_prompting import Error
from browsergym.utils.obs import flatten_axtree_to_str
from hypothesis import given
from hypothesis import strategies as st

from focusagent.compat import use_packaged_encodings
from focusagent.observation import (
    clean_strings,
    drop_inline_text_boxes,
    neutralise_special_tokens,
    one_call_log,
    root_if_empty,
)

use_packaged_encodings()
ENCODINGS = [tiktoken.get_encoding(name) for name in ("o200k_base", "cl100k_base")]
SPECIAL = sorted({token for encoding in ENCODINGS for token in encoding.special_tokens_set})
pieces = st.lists(
    st.sampled_from([*SPECIAL, "<|im_start|>", "<|", "|>", "<", "|", ">", "endoftext", " ", "a"]), max_size=12
)
any_text = st.text(st.characters(exclude_categories=[]))


def text_node(text: str) -> dict[str, Any]:
    return {"nodeId": "1", "role": {"value": "StaticText"}, "name": {"value": text}, "childIds": []}


def test_lines_of_inline_text_boxes_go_and_lookalikes_stay() -> None:
    tree = "\n".join(
        [
            "RootWebArea 'InlineTextBox'",
            "\t[1] button 'Save'",
            "\t\tStaticText 'Save'",
            "\t\t\tInlineTextBox 'Save'",
            "\t\t\t[7] InlineTextBox 'Save', clickable",
            "\t\t\tInlineTextBox",
            "\tStaticText 'an InlineTextBox here'",
            "\tInlineTextBoxes 'another role'",
        ]
    )
    kept = [0, 1, 2, 6, 7]
    assert drop_inline_text_boxes(tree).split("\n") == [tree.split("\n")[index] for index in kept]


def test_trees_without_inline_text_boxes_are_left_alone() -> None:
    tree = "RootWebArea ''\n\t[1] link 'a\u2028b'\x85"
    assert drop_inline_text_boxes(tree) == tree


@pytest.mark.parametrize("token", [*SPECIAL, "<|im_start|>", "<|begin_of_text|>"])
def test_each_special_token_stays_readable(token: str) -> None:
    assert neutralise_special_tokens(f"docs: {token}!") == f"docs: < |{token[2:-2]}| >!"


@given(pieces.map("".join))
def test_tokenizers_take_any_neutralised_text_and_a_second_run_changes_nothing(text: str) -> None:
    safe = neutralise_special_tokens(text)
    for encoding in ENCODINGS:
        encoding.encode(safe)  # raises ValueError on a special token
    assert neutralise_special_tokens(safe) == safe
    assert safe.replace(" ", "") == text.replace(" ", "")


def test_tiktoken_does_raise_on_what_is_neutralised() -> None:
    for token in ENCODINGS[0].special_tokens_set:
        with pytest.raises(ValueError, match="disallowed special token"):
            ENCODINGS[0].encode(token)


@given(any_text)
def test_cleaned_text_can_be_written_pickled_and_sent(text: str) -> None:
    cleaned = clean_strings(text)
    assert cleaned.encode("utf-8").decode("utf-8") == cleaned
    assert json.loads(json.dumps(cleaned)) == pickle.loads(pickle.dumps(cleaned)) == cleaned
    assert len(neutralise_special_tokens(text)) == len(cleaned)


def test_every_string_of_an_observation_is_reached_and_the_rest_kept() -> None:
    screenshot = object()
    token, safe = "<|endoftext|>", "< |endoftext| >"
    observation = {
        "goal_object": ({"type": "text", "text": token},),
        "chat_messages": ({"role": "user", "message": token, "timestamp": 1.5},),
        "open_pages_titles": ("a", token),
        "dom_object": {"strings": [token, "b\ud800"], "documents": [{"nodes": {"parentIndex": [-1, 0]}}]},
        "axtree_object": {"nodes": [text_node(token)]},
        "extra_element_properties": {token: {"bbox": None, "clickable": True}},
        "screenshot": screenshot,
    }
    cleaned = clean_strings(observation)
    assert cleaned == {
        "goal_object": ({"type": "text", "text": safe},),
        "chat_messages": ({"role": "user", "message": safe, "timestamp": 1.5},),
        "open_pages_titles": ("a", safe),
        "dom_object": {"strings": [safe, "b\ufffd"], "documents": [{"nodes": {"parentIndex": [-1, 0]}}]},
        "axtree_object": {"nodes": [text_node(safe)]},
        "extra_element_properties": {safe: {"bbox": None, "clickable": True}},
        "screenshot": screenshot,
    }
    assert cleaned["screenshot"] is screenshot
    assert observation["open_pages_titles"] == ("a", token)


def test_an_error_with_two_call_logs_passes_agentlabs_prompt() -> None:
    error = "Timeout 500ms exceeded.\nCall log:\nwaiting for <button>Call log: Call log:</button>\n  - retrying"
    with pytest.raises(ValueError, match="too many values"):
        Error(error)
    safe = one_call_log(error)
    assert safe == "Timeout 500ms exceeded.\nCall log:\nwaiting for <button>Call log Call log</button>\n  - retrying"
    assert "retrying" in Error(safe).prompt


@pytest.mark.parametrize("error", ["", "ValueError: no such bid", "Timeout.\nCall log:\n- waiting"])
def test_errors_with_at_most_one_call_log_are_left_alone(error: str) -> None:
    assert one_call_log(error) == error


def test_an_empty_tree_prints_as_an_empty_root() -> None:
    empty: dict[str, Any] = {"nodes": []}
    with pytest.raises(IndexError):
        flatten_axtree_to_str(empty)
    assert flatten_axtree_to_str(root_if_empty(empty)) == "RootWebArea ''"
    assert empty == {"nodes": []}


def test_a_tree_with_nodes_is_left_alone() -> None:
    tree = {"nodes": [text_node("a")]}
    assert root_if_empty(tree) is tree
