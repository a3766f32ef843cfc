"""Table 1 of the paper: retrievers on WorkArena L1.

focusagent study configs/retrievers.yaml, then: python experiments/table_1.py RESULTS
Without RESULTS it prints the published figures."""

from focusagent.results.programs import print_paper_table

if __name__ == "__main__":
    print_paper_table("1", __doc__)
