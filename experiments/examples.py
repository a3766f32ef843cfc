"""Example figures of the paper (2, 6, 13 to 15, 18 to 23, 26 to 31) from recorded steps, as one page.

python experiments/examples.py RESULTS > examples.html"""

import sys
from pathlib import Path

from focusagent.results.examples import example_sections
from focusagent.results.report import render

if __name__ == "__main__":
    print(render("Examples", "From recorded steps; pages and answers as text.", example_sections(Path(sys.argv[1]))))
