"""The few actions that policies take, with the thought that goes with each."""

from __future__ import annotations

from focusagent.axtree import AxLine
from focusagent.scripted.policies import Plan


def click(line: AxLine | None, why: str) -> Plan:
    """Click it; wait where there is nothing to click, or where its bid is not shown."""
    return Plan([f"click('{line.bid}')"], note=why) if line and line.bid else wait(why)


def fill(line: AxLine | None, text: str, why: str) -> Plan:
    return Plan([f"fill('{line.bid}', {text!r})"], note=why) if line and line.bid else wait(why)


def select(line: AxLine | None, option: str, why: str) -> Plan:
    return Plan([f"select_option('{line.bid}', {option!r})"], note=why) if line and line.bid else wait(why)


def wait(why: str) -> Plan:
    return Plan(["noop(500)"], note=why)


def give_up() -> Plan:
    """Ends the episode, as a person would who has tried the same thing in vain."""
    return Plan(["report_infeasible('I have tried and get no further.')"], note="I get no further; I stop here.")


def say(text: str, why: str) -> Plan:
    return Plan([f"send_msg_to_user({text!r})"], note=why)
