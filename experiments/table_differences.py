"""Paired differences against GenericAgent-BT on the same tasks and seeds.

python experiments/table_differences.py RESULTS"""

from focusagent.results.programs import print_tables
from focusagent.results.tables import differences_table

if __name__ == "__main__":
    print_tables(differences_table, __doc__)
