"""Table 4b of the paper: what removed lines leave.

focusagent study configs/tree_formats.yaml, then: python experiments/table_4b.py RESULTS
Without RESULTS it prints the published figures."""

from focusagent.results.programs import print_paper_table

if __name__ == "__main__":
    print_paper_table("4b", __doc__)
