"""Figure 5 of the paper: attack success against task success, green under 5 %, red from 50 %.

python experiments/figure_5.py RESULTS [--out FOLDER]"""

from focusagent.results.figures import attacks
from focusagent.results.programs import write_figures

if __name__ == "__main__":
    write_figures(attacks, __doc__)
