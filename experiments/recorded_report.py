"""The small recorded set with every agent that needs no key, and its report.

python experiments/recorded_report.py RESULTS OUT   (a second call goes on with what the first did not finish)"""

import os
import sys
from pathlib import Path

from rich.console import Console

from focusagent.results.examples import example_sections
from focusagent.results.report import write_report
from focusagent.studies.study import Options, run_config

CONFIG = Path(__file__).parents[1] / "configs" / "longpage_report.yaml"

if __name__ == "__main__":
    results, out = (Path(argument).resolve() for argument in sys.argv[1:3])
    os.environ["AGENTLAB_EXP_ROOT"] = str(results)
    begun = sorted(results.glob("*/study.yaml"))
    run_config(CONFIG, Options(resume=begun[-1].parent if begun else None), Console())
    folder = sorted(results.glob("*/study.yaml"))[-1].parent
    print(write_report(folder, out, example_sections(folder)).page)
