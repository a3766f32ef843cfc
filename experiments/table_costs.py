"""Price of recorded steps with and without a discount for cached input, and the break-even share.

python experiments/table_costs.py RESULTS"""

from focusagent.results.programs import print_tables
from focusagent.results.tables import cost_table

if __name__ == "__main__":
    print_tables(cost_table, __doc__)
