"""A page cannot put markup or script into what people open to read about it: xray pages, in a real browser."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from browsergym.experiments.agent import AgentInfo

from focusagent.agents.stats import step_stats
from focusagent.agents.xray import step_page
from focusagent.axtree import LineRanges
from focusagent.focuser import Focuser
from focusagent.models.call import Call
from focusagent.retrieval import Fallback, Query, Selection

HOSTILE = (
    '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script></pre></script><b id=planted>x</b>'
    "'\"><svg onload=window.hacked=1>{{ 7*7 }} <a id=planted href=javascript:window.hacked=1>y</a>"
)
PAGE = f"RootWebArea {HOSTILE!r}\n\t[12] button {HOSTILE!r}, url={HOSTILE!r}\n\tStaticText 'second'"


class Quotes:
    """A retriever that repeats the page in all it says."""

    def select(self, query: Query) -> Selection:
        call = Call(HOSTILE, ({"role": "user", "content": HOSTILE},), HOSTILE, error=HOSTILE)
        return Selection(
            LineRanges.of([(1, 2)]), reasoning=HOSTILE, why={2: HOSTILE}, fallback=Fallback.CALL_CAP, calls=(call,)
        )


def test_nothing_runs_and_nothing_is_planted(browser: Any, tmp_path: Path) -> None:
    focused = replace(Focuser(Quotes(), skip_below=0).focus(PAGE, HOSTILE), note=HOSTILE, reasons={2: (HOSTILE,)})
    stats = step_stats(focused, HOSTILE, HOSTILE) | {"backbone_seconds": 0.0, "backbone_cost_unknown": 0, "cost": 0.0}
    info = AgentInfo(think=HOSTILE, stats=stats, extra_info={})
    file = tmp_path / "step.html"
    file.write_text(step_page(HOSTILE, focused, info, HOSTILE), "utf-8")
    page = browser.new_page()
    try:
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(file.as_uri())
        page.wait_for_timeout(300)
        assert page.evaluate("window.hacked") is None
        assert page.locator("#planted").count() == 0
        assert page.locator("img, svg[onload]").count() == 0
        assert asked == [file.as_uri()]
        assert "window.hacked=1" in page.inner_text("body")  # it is shown as text
        assert "49" not in page.inner_text("body").replace("{{ 7*7 }}", "")
    finally:
        page.close()
