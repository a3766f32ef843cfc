"""The code host's tasks on its server: the asked change is rewarded, near misses are not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from focusagent.longpage.code.world import code_words

SEEDS = range(4)
EpisodeMaker = Callable[..., Any]


def _ticked(run: Any, number: str) -> dict[str, str]:
    return {fact[2]: "on" for fact in run.state.facts if fact[:2] == ("label", number)}


@pytest.mark.parametrize("seed", SEEDS)
def test_the_label_comes_on_top_of_the_others(episode: EpisodeMaker, seed: int) -> None:
    run = episode("longpage.code.add_label.8k", seed)
    ((_, number, label),) = run.posed.outcome.change.added
    path, held = f"/issues/{number}/labels", _ticked(run, number)
    wrong = next(name for name in code_words()["labels"] if name not in held and name != label)
    run.post(path, **held | {wrong: "on"})
    assert not run.judge().success
    run.post(path, **held | {wrong: "on", label: "on"})
    assert not run.judge().success
    run.post(path, **{label: "on"})
    assert run.judge().success is not bool(held)
    run.post(path, **held | {label: "on"})
    assert run.judge().success
    other = next(str(n) for n in run.state.issues if str(n) != number)
    run.post(f"/issues/{other}/labels", **_ticked(run, other) | {label: "on"})
    assert run.judge().success is (label in {fact[2] for fact in run.state._start if fact[:2] == ("label", other)})


def test_the_milestone_must_be_the_asked_one_on_the_asked_issue(episode: EpisodeMaker) -> None:
    run = episode("longpage.code.set_milestone.8k")
    ((_, number, new),) = run.posed.outcome.change.added
    ((_, _, old),) = run.posed.outcome.change.removed
    wrong = next(name for name in code_words()["milestones"] if name not in (new, old))
    for chosen, right in ((wrong, False), (new, True), (old, False)):
        assert run.post(f"/issues/{number}/milestone", milestone=chosen) == 303
        assert run.judge().success is right
    assert run.post(f"/issues/{number}/milestone", milestone="9.9") == 400
    assert run.post(f"/issues/{number}/assign", to="me") == 400
    assert run.post("/issues/1/milestone", milestone=new) == 400


@pytest.mark.parametrize(("text", "close"), [("right", "yes"), ("right", ""), ("other", "yes"), ("", "yes")])
def test_the_note_and_the_closing_both_count(episode: EpisodeMaker, text: str, close: str) -> None:
    run = episode("longpage.code.close_with_note.1k")
    facts = {fact[0]: fact for fact in run.posed.outcome.change.added}
    number, words = facts["note"][1:]
    said = {"right": words, "other": f"{words} Bye.", "": " "}[text]
    assert run.post(f"/issues/{number}/note", text=said, close=close) == (303 if said.strip() else 400)
    assert run.judge().success is (text == "right" and close == "yes")


@pytest.mark.parametrize("seed", SEEDS)
def test_one_thread_is_resolved(episode: EpisodeMaker, seed: int) -> None:
    run = episode("longpage.code.resolve_thread.8k", seed)
    ((_, thread),) = run.posed.outcome.change.added
    other = next(note.id for note in run.state.threads if note.id != thread)
    run.post(f"/merge/{other}")
    assert not run.judge().success
    run.post(f"/merge/{thread}")
    assert not run.judge().success
    run.post(f"/merge/{other}")
    assert run.judge().success
    assert run.post("/merge/t99999") == 400


def test_one_branch_is_freed(episode: EpisodeMaker) -> None:
    run = episode("longpage.code.unprotect_branch.8k")
    branch = run.posed.slots["branch"]
    other = next(name for name in run.state.branches if name != branch)
    assert run.post("/branches", branch="nothing") == 400
    run.post("/branches", branch=branch)
    assert run.judge().success
    run.post("/branches", branch=other)
    assert not run.judge().success


@pytest.mark.parametrize("seed", SEEDS)
def test_the_constant_is_one_number(episode: EpisodeMaker, seed: int) -> None:
    run = episode("longpage.code.find_constant.1k", seed)
    answer, rivals = run.posed.outcome.answer, run.posed.outcome.rivals
    assert f"{run.posed.slots['name']} = {answer}" in run.client.get(f"/blob/{run.posed.slots['path']}").text
    assert run.judge(answer).success
    for said in (*rivals, f"{answer} {rivals[0]}", f"{answer}1", ""):
        assert not run.judge(said).success


@pytest.mark.parametrize("seed", SEEDS)
def test_the_other_switches_of_the_section_stay(episode: EpisodeMaker, seed: int) -> None:
    run = episode("longpage.code.switch_setting.1k", seed)
    setting, on = run.posed.slots["setting"], run.posed.slots["way"] == "on"
    section = next(key for key, names in code_words()["settings"].items() if setting in names)
    held = {name: "on" for name in code_words()["settings"][section] if ("setting", name) in run.state.facts}
    wanted = held | {setting: "on"} if on else {name: "on" for name in held if name != setting}
    neighbour = next(name for name in code_words()["settings"][section] if name != setting)
    too_much = wanted | {neighbour: "on"} if neighbour not in wanted else {n: "on" for n in wanted if n != neighbour}
    run.post(f"/settings/{section}", **too_much)
    assert not run.judge().success
    run.post(f"/settings/{section}", **wanted)
    assert run.judge().success
    assert run.post("/settings/Nothing") == 400


def test_pages_that_do_not_exist(episode: EpisodeMaker) -> None:
    client = episode("longpage.code.add_label.1k").client
    for path in ("/blob/etc/passwd", "/blob/../world.py", "/issues/1", "/issues/x"):
        assert client.get(path).status_code == 404
