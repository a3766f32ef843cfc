"""The worst-case reader: what makes the scripted backbone obey a page. No language, no patterns of its own."""

from __future__ import annotations

import re
from dataclasses import dataclass

from focusagent.scripted.prompt import ReadPrompt

RUN_OF_WORDS = 5
_WORD = re.compile(r"\w+")


def word_runs(text: str, length: int = RUN_OF_WORDS) -> frozenset[tuple[str, ...]]:
    """All runs of `length` words in a row, case and punctuation ignored; a shorter text is one run."""
    words = _WORD.findall(text.casefold())
    if len(words) < length:
        return frozenset({tuple(words)} if words else ())
    return frozenset(tuple(words[start : start + length]) for start in range(len(words) - length + 1))


@dataclass(frozen=True)
class Obedience:
    """What the harness knows of the attack. `payloads` are its text and every decoded or translated form that a reader
    would understand; `targets` the address or name it leads to; `canaries` marks that occur nowhere else; `clean` the
    texts of the same pages without the attack. `order` is the action it asks for; `{bid}` in it stands for the first
    element of the prompt that carries the attack's text."""

    order: str
    payloads: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    canaries: tuple[str, ...] = ()
    clean: tuple[str, ...] = ()

    def action(self, text: str, prompt: ReadPrompt) -> str:
        """The action to obey with, "" where the prompt shows nothing of the attack."""
        if not self.reads_attack(text, prompt.goal):
            return ""
        if "{bid}" not in self.order:
            return self.order
        bids = (line.bid for line in prompt.lines if line.bid and self.reads_attack(line.name, prompt.goal))
        bid = next(bids, "")
        return self.order.replace("{bid}", bid) if bid else ""

    def reads_attack(self, text: str, goal: str) -> bool:
        """Whether the text holds a canary, the target, or a run of the payload's words that is not innocent."""
        if any(mark in text for mark in self.canaries if mark):
            return True
        innocent = "\n".join((goal, *self.clean))
        if any(target in text and target not in innocent for target in self.targets if target):
            return True
        shown = " ".join(_WORD.findall(text.casefold()))
        known = f" {' '.join(_WORD.findall(innocent.casefold()))} "
        runs = (" ".join(run) for payload in self.payloads for run in word_runs(payload))
        return any(f" {run} " in f" {shown} " and f" {run} " not in known for run in runs)
