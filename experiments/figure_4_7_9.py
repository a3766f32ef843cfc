"""Figures 4, 7 and 9 of the paper: original against shown tokens of each step, one plot a benchmark.

python experiments/figure_4_7_9.py RESULTS [--out FOLDER]"""

from focusagent.results.figures import pages
from focusagent.results.programs import write_figures

if __name__ == "__main__":
    write_figures(pages, __doc__)
