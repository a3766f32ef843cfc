"""docs/measured/published.md from the project's data of published figures: python experiments/numbers_page.py"""

from pathlib import Path

from focusagent.results.published import numbers_page

if __name__ == "__main__":
    (Path(__file__).parents[1] / "docs" / "measured" / "published.md").write_text(numbers_page(), encoding="utf-8")
