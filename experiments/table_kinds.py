"""Appendix C of the paper: pruning and success by kind of task.

python experiments/table_kinds.py RESULTS"""

from focusagent.results.programs import print_tables
from focusagent.results.tables import kinds_table

if __name__ == "__main__":
    print_tables(kinds_table, __doc__)
