"""The few actions that policies take, with the thought that goes with each."""

from __future__ import annotations

from focusagent.axtree import AxLine
from focusagent.models.scripted_policies import Plan


def click(line: AxLine | None, why: str) -> Plan:
    """Click it; wait where there is nothing to click."""
    return Plan([f"click('{line.bid}')"] if line and line.bid else ["noop(500)"], note=why)


def fill(line: AxLine, text: str, why: str) -> Plan:
    return Plan([f"fill('{line.bid}', {text!r})"], note=why)


def select(line: AxLine, option: str, why: str) -> Plan:
    return Plan([f"select_option('{line.bid}', {option!r})"], note=why)


def say(text: str, why: str) -> Plan:
    return Plan([f"send_msg_to_user({text!r})"], note=why)
