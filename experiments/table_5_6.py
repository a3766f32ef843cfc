"""Table 5, 6 of the paper: models as retrievers.

focusagent study configs/retriever_models.yaml, then: python experiments/table_5_6.py RESULTS
Without RESULTS it prints the published figures."""

from focusagent.results.programs import print_paper_table

if __name__ == "__main__":
    print_paper_table("5, 6", __doc__)
