"""Table 4a of the paper: the retriever's prompt strategies.

focusagent study configs/prompt_strategies.yaml (and configs/prompt_strategies_webarena.yaml),
then: python experiments/table_4a.py RESULTS
Without RESULTS it prints the published figures."""

from focusagent.results.programs import print_paper_table

if __name__ == "__main__":
    print_paper_table("4a", __doc__)
