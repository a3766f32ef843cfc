"""Table 3 of the paper: attacks on WebArena's forum.

focusagent study configs/webarena_reddit_security.yaml, then: python experiments/table_3.py RESULTS
Without RESULTS it prints the published figures."""

from focusagent.results.programs import print_paper_table

if __name__ == "__main__":
    print_paper_table("3", __doc__)
