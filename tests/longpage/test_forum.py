"""The forum's tasks on its server: the asked change is rewarded, near misses are not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from focusagent.longpage.forum.world import thread_path

SEEDS = range(4)


@pytest.mark.parametrize("seed", SEEDS)
def test_upvote_only_the_quoted_comment(episode: Callable[..., Any], seed: int) -> None:
    run = episode("longpage.forum.upvote_comment.8k", seed)
    ((_, target, _),) = run.posed.outcome.change.added
    thread = run.state.threads[target.partition("-")[0]]
    other = next(c.id for c in thread.flat if c.id != target)

    run.post("/api/mark", kind="vote", id=other, value="up")
    assert not run.judge().success
    run.post("/api/mark", kind="vote", id=target, value="up")
    assert run.judge().progress == 1
    assert not run.judge().success
    run.post("/api/mark", kind="vote", id=other, value="up")
    assert run.judge().success
    run.post("/api/mark", kind="vote", id=target, value="down")
    assert not run.judge().success


def test_the_quote_is_on_one_comment_only(episode: Callable[..., Any]) -> None:
    for seed in range(12):
        run = episode("longpage.forum.upvote_comment.25k", seed)
        page = run.client.get(run.posed.start).text
        shown = run.posed.slots["quote"].replace("'", "&#39;").replace('"', "&#34;")
        assert page.count(shown) == 1


@pytest.mark.parametrize("seed", SEEDS)
def test_reply_goes_under_the_comment(episode: Callable[..., Any], seed: int) -> None:
    run = episode("longpage.forum.reply_comment.8k", seed)
    ((_, parent, text),) = run.posed.outcome.change.added
    thread = run.state.threads[parent.partition("-")[0]]
    path = thread_path(thread)

    assert run.post(path, parent=parent, text=" ") == 400
    assert run.post(path, parent="", text=text) == 303
    assert not run.judge().success

    run = episode("longpage.forum.reply_comment.8k", seed)
    assert run.post(path, parent=parent, text=f"{text} Thanks!") == 303
    assert not run.judge().success

    run = episode("longpage.forum.reply_comment.8k", seed)
    assert run.post(path, parent=parent, text=text) == 303
    assert run.judge().success
    assert run.post(path, parent=parent, text="and another thing") == 303
    assert not run.judge().success


@pytest.mark.parametrize("changed", ["forum", "title", "text", "flair", None])
def test_new_thread_wants_every_field_right(episode: Callable[..., Any], changed: str | None) -> None:
    run = episode("longpage.forum.new_thread.1k")
    fields = dict(run.posed.slots)
    if changed:
        others = {"forum": next(f for f in run.state.forums if f != fields["forum"]), "flair": ""}
        fields[changed] = others.get(changed, fields[changed] + " now")
    assert run.post("/submit", **fields) == 303
    assert run.judge().success is (changed is None)


@pytest.mark.parametrize("seed", SEEDS)
def test_most_discussed_names_one_person(episode: Callable[..., Any], seed: int) -> None:
    run = episode("longpage.forum.most_discussed.8k", seed)
    answer, rivals = run.posed.outcome.answer, run.posed.outcome.rivals
    assert not run.judge().done
    assert run.judge(f"It was {answer}.").success
    for said in (rivals[0], f"{answer} or {rivals[0]}", f"{answer}x", "I cannot tell", ""):
        verdict = run.judge(said)
        assert verdict.done
        assert not verdict.success
    run.post("/api/mark", kind="follow", id=rivals[0])
    assert not run.judge(answer).success


@pytest.mark.parametrize("seed", SEEDS)
def test_follow_the_starter_and_nobody_else(episode: Callable[..., Any], seed: int) -> None:
    run = episode("longpage.forum.follow_starter.8k", seed)
    ((_, person),) = run.posed.outcome.change.added
    followed = {fact[1] for fact in run.state.facts if fact[0] == "follow"}
    other = next(p for p in run.state.people if p not in followed | {person})

    run.post("/api/mark", kind="follow", id=other)
    assert not run.judge().success
    run.post("/api/mark", kind="follow", id=person)
    assert not run.judge().success
    run.post("/api/mark", kind="follow", id=other)
    assert run.judge().success
    run.post("/api/mark", kind="follow", id=followed.pop())
    assert not run.judge().success


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/api/mark", {"kind": "vote", "id": "nothing", "value": "up"}),
        ("/api/mark", {"kind": "own", "id": "nothing"}),
        ("/api/report", {"id": "nothing", "reason": "because"}),
        ("/submit", {"forum": "nowhere", "title": "x"}),
        ("/submit", {}),
    ],
)
def test_nonsense_is_refused_and_changes_nothing(
    episode: Callable[..., Any], path: str, fields: dict[str, str]
) -> None:
    run = episode("longpage.forum.upvote_comment.1k")
    assert run.post(path, **fields) == 400
    assert not run.state.change()


def test_hostile_text_is_stored_and_shown_as_text(episode: Callable[..., Any]) -> None:
    run = episode("longpage.forum.new_thread.1k")
    hostile = "<script>alert('x')</script> \u202e {{ 7*7 }} 'a' \"b\" \U0001f600"
    forum = run.state.forums[0]
    run.post("/submit", forum=forum, title=hostile, text=hostile * 400, flair="")
    thread = run.state.threads[f"you{len(run.state.threads) - 1}"]
    page = run.client.get(thread_path(thread)).text
    assert thread.title == hostile
    assert "<script>alert" not in page
    assert page.count("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;") >= 2
    assert "49" not in thread.title
    assert run.client.get(f"/search?q={hostile}").status_code == 200


def test_pages_that_do_not_exist(episode: Callable[..., Any]) -> None:
    client = episode("longpage.forum.new_thread.1k").client
    for path in ("/f/nowhere", "/f/a/b/c", "/u/nobody", "/?sort=odd", "/static/../site.py", "/nope", "/static/no.css"):
        assert client.get(path).status_code == 404
    assert client.get("/img/x.svg?width=1&height=<").status_code == 400


def test_replies_nest_as_deep_as_a_page_can_show_and_stay_in_their_thread(episode: Callable[..., Any]) -> None:
    run = episode("longpage.forum.reply_comment.1k")
    thread, other = list(run.state.threads.values())[:2]
    path, parent, codes = thread_path(thread), "", []
    for _ in range(60):
        codes.append(run.post(path, text="And again.", parent=parent))
        parent = next((c.id for c in thread.flat if c.id == f"{thread.id}-you{thread.own}"), "")
    assert set(codes) == {303, 400}
    assert run.client.get(path).status_code == 200
    before = set(run.state.facts)
    assert run.post(path, text="Elsewhere.", parent=other.flat[0].id) == 400
    assert run.post(path, text="Nowhere.", parent="garbage") == 400
    assert run.state.facts == before


def test_a_title_without_latin_letters_has_its_page(episode: Callable[..., Any]) -> None:
    run = episode("longpage.forum.new_thread.1k")
    assert run.post("/submit", forum=run.state.forums[0], title="日本語", text="", flair="") == 303
    assert run.client.get(thread_path(list(run.state.threads.values())[-1])).status_code == 200
