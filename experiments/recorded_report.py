"""The small recorded set with every agent that needs no key, and its report.

python experiments/recorded_report.py RESULTS OUT   (a second call goes on with what the first did not finish)"""

import os
import sys
from pathlib import Path

from rich.console import Console

from focusagent.errors import UserError
from focusagent.results.examples import example_sections
from focusagent.results.report import write_report
from focusagent.studies.study import Options, run_config

CONFIGS = Path(__file__).parents[1] / "configs"
NAMES = ("longpage_report", "longpage_report_attacks")


def record(root: Path, name: str) -> None:
    """Run the study of that name below `root`, or what an earlier call left of it."""
    begun = sorted(root.glob(f"*_{name}/study.yaml"))
    run_config(CONFIGS / f"{name}.yaml", Options(resume=begun[-1].parent if begun else None), Console())


if __name__ == "__main__":
    results, out = (Path(argument).resolve() for argument in sys.argv[1:3])
    os.environ["AGENTLAB_EXP_ROOT"] = str(results)
    try:
        for name in NAMES:
            record(results, name)
        print(write_report(results, out, example_sections(results)).page)
    except UserError as error:
        sys.exit(str(error))
