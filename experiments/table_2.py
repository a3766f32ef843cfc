"""Table 2 of the paper: backbones on WorkArena L1 and WebArena.

focusagent study configs/backbones.yaml (and configs/backbones_webarena.yaml),
then: python experiments/table_2.py RESULTS
Without RESULTS it prints the published figures."""

from focusagent.results.programs import print_paper_table

if __name__ == "__main__":
    print_paper_table("2", __doc__)
