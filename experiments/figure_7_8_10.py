"""Figures 7, 8 and 10 of the paper: how the pruning of steps is distributed.

python experiments/figure_7_8_10.py RESULTS [--out FOLDER]"""

from focusagent.results.figures import distributions
from focusagent.results.programs import write_figures

if __name__ == "__main__":
    write_figures(distributions, __doc__)
