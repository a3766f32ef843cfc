"""What every agent of ours sees: the same observation, free of what breaks tokenizers, prompts and files."""

from __future__ import annotations

from typing import Any

from agentlab.agents import dynamic_prompting as dp
from browsergym.utils.obs import flatten_axtree_to_str, flatten_dom_to_str, overlay_som, prune_html

from focusagent.observation import clean_strings, drop_inline_text_boxes, one_call_log

_RAW = ("axtree_object", "dom_object", "extra_element_properties")
IMAGE = "[image]"
_EMPTY_PAGE = {
    "nodes": [
        {"nodeId": "0", "role": {"value": "RootWebArea"}, "name": {"value": ""}, "properties": [], "childIds": []}
    ]
}


def observe(obs: dict[str, Any], flags: dp.ObsFlags) -> dict[str, Any]:
    """A new observation with the texts that `flags` ask for, in place of the raw trees (which are not kept).

    HTML and set-of-marks are made only where they are used. Strings are safe to tokenise, to pickle and to print."""
    properties = obs["extra_element_properties"]
    tags: dict[str, Any] = {
        "with_visible": flags.extract_visible_tag,
        "with_clickable": flags.extract_clickable_tag,
        "with_center_coords": flags.extract_coords == "center",
        "with_bounding_box_coords": flags.extract_coords == "box",
        "filter_visible_only": flags.filter_visible_elements_only,
        "filter_with_bid_only": flags.filter_with_bid_only,
        "filter_som_only": flags.filter_som_only,
    }
    axtree = obs["axtree_object"] if obs["axtree_object"].get("nodes") else _EMPTY_PAGE
    seen = {key: value for key, value in obs.items() if key not in _RAW}
    seen.setdefault("goal_object", [{"type": "text", "text": str(obs.get("goal") or "")}])
    seen["axtree_txt"] = drop_inline_text_boxes(flatten_axtree_to_str(axtree, extra_properties=properties, **tags))
    seen["dom_txt"] = flatten_dom_to_str(obs["dom_object"], properties, **tags) if flags.use_html else ""
    seen["pruned_html"] = prune_html(seen["dom_txt"]) if flags.use_html else ""
    seen["element_boxes"] = _boxes(properties)
    if flags.use_som:
        seen["screenshot_som"] = overlay_som(obs["screenshot"], extra_properties=properties)
    return tidy(seen)


def _boxes(properties: dict[str, Any]) -> dict[str, list[float]]:
    """bid -> [left, top, width, height] of what stands on the screenshot, for those who look at the step later."""
    return {
        bid: [round(float(value), 1) for value in element["bbox"]]
        for bid, element in properties.items()
        if element.get("bbox") and (element.get("visibility") or 0) > 0
    }


def tidy(obs: dict[str, Any]) -> dict[str, Any]:
    """The same observation with every string cleaned and the error cut to one call log. The raw trees stay as they
    are: nobody prompts or tokenises them."""
    cleaned: dict[str, Any] = {key: value if key in _RAW else clean_strings(value) for key, value in obs.items()}
    cleaned["last_action_error"] = one_call_log(cleaned.get("last_action_error") or "")
    return cleaned


def goal_text(obs: dict[str, Any]) -> str:
    """The goal as text, `[image]` where it holds one, and what the user has said since, the newest last."""
    goal = obs.get("goal_object") or obs.get("goal") or ""
    parts = [str(goal)] if isinstance(goal, str) else [_part_text(part) for part in goal]
    said = [part for part in parts if part]
    for message in obs.get("chat_messages") or ():
        if not isinstance(message, dict) or message.get("role") not in ("user", "user_image"):
            continue
        text = IMAGE if message["role"] == "user_image" else str(message.get("message") or "")
        # BrowserGym puts the goal into the chat as well: what has been said already is not said again.
        if text and text not in said and text != "\n".join(parts):
            said.append(text)
    return "\n".join(said)


def _part_text(part: Any) -> str:
    if not isinstance(part, dict):
        return ""
    return IMAGE if part.get("type") in ("image", "image_url") else str(part.get("text") or "")
