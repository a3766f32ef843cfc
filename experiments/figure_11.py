"""Figure 11 and Table 7 of the paper: clusters of steps by original and shown tokens, under 10k.

python experiments/figure_11.py RESULTS [--out FOLDER]"""

from focusagent.results.figures import clusters
from focusagent.results.programs import write_figures

if __name__ == "__main__":
    write_figures(clusters, __doc__)
