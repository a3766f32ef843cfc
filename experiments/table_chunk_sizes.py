"""Appendix E of the paper: chunk sizes of BM25 and embeddings (configs/chunk_sizes.yaml).

python experiments/table_chunk_sizes.py RESULTS"""

from focusagent.results.programs import print_tables
from focusagent.results.tables import agents_table

if __name__ == "__main__":
    print_tables(agents_table, __doc__)
