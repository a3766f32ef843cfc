"""Where a step's time goes: retriever, backbone, browser.

python experiments/table_latency.py RESULTS"""

from focusagent.results.programs import print_tables
from focusagent.results.tables import latency_table

if __name__ == "__main__":
    print_tables(latency_table, __doc__)
