"""Figure 3 of the paper: success against pruning, with the 20 % break-even line.

python experiments/figure_3.py RESULTS [--out FOLDER]"""

from focusagent.results.figures import success_against_pruning
from focusagent.results.programs import write_figures

if __name__ == "__main__":
    write_figures(success_against_pruning, __doc__)
