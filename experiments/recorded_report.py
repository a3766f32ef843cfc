"""The small recorded set with every agent that needs no key, and its report, with two screenshots of it.

python experiments/recorded_report.py RESULTS OUT   (a second call goes on with what the first did not finish)"""

import argparse
import os
import sys
from pathlib import Path
from typing import Literal

from playwright.sync_api import sync_playwright
from rich.console import Console

from focusagent.errors import UserError
from focusagent.results.examples import example_sections
from focusagent.results.report import write_report
from focusagent.studies.study import Options, run_config

CONFIGS = Path(__file__).parents[1] / "configs"
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
NAMES = ("longpage_report", "longpage_report_attacks")


def record(root: Path, name: str) -> None:
    """Run the study of that name below `root`, or what an earlier call left of it."""
    begun = sorted(root.glob(f"*_{name}/study.yaml"))
    run_config(CONFIGS / f"{name}.yaml", Options(resume=begun[-1].parent if begun else None), Console())


def photograph(page: Path) -> None:
    """The head of the report beside it, light and dark."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch()
        for scheme in SCHEMES:
            tab = browser.new_page(viewport={"width": 1200, "height": 1500}, color_scheme=scheme)
            tab.goto(page.as_uri())
            tab.screenshot(path=page.with_name(f"report_{scheme}.png"))
        browser.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("results", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    results, out = options.results.resolve(), options.out.resolve()
    os.environ["AGENTLAB_EXP_ROOT"] = str(results)
    try:
        for name in NAMES:
            record(results, name)
        made = write_report(results, out, example_sections(results))
        photograph(made.page)
        print(made.page)
    except UserError as error:
        sys.exit(str(error))
