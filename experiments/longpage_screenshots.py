"""Screenshots of LongPage's sites at 1280 pixels, for the docs.

python experiments/longpage_screenshots.py [--out docs/images] [--size 8k] [--seed 0]
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from focusagent.longpage.forum.world import thread_path
from focusagent.longpage.server import SiteServer
from focusagent.longpage.shop.app import product_path
from focusagent.longpage.sites import SITES
from focusagent.sizes import SIZES


def path_of(site: str, state: Any) -> str:
    """The page that shows a site best."""
    match site:
        case "forum":
            return thread_path(state.long_thread(state.forums[0]))
        case "shop":
            return product_path(state.featured)
        case "desk":
            return "/?frame=/list"
    return f"/issues/{min(state.issues)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("docs/images"))
    parser.add_argument("--size", choices=SIZES, default="8k")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch()
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        for name, site in SITES.items():
            state = site.state(args.seed, args.size)
            server = SiteServer(site.app(state))
            try:
                page.goto(server.start() + path_of(name, state))
                page.wait_for_load_state("networkidle")
                page.screenshot(path=args.out / f"longpage_{name}.png")
            finally:
                server.stop()
        browser.close()


if __name__ == "__main__":
    main()
