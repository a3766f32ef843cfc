"""The cost model against the papers' dollars, in both readings of them: python experiments/cost_model.py

Fitted on GenericAgent-BT on WorkArena L1 alone; everything else is a check."""

from focusagent.results.table import Table
from focusagent.studies.calibration import BACKBONE, RETRIEVER, calibrate
from focusagent.studies.costs import assumed_step, break_even, paper_step

if __name__ == "__main__":
    for with_output, reading in ((False, "input tokens only"), (True, "every call, output included")):
        fit = calibrate(with_output)
        rows = tuple(
            (
                f"{row.benchmark}{with_steps}",
                row.name,
                row.published,
                row.modelled,
                row.verdict,
            )
            for checks, with_steps in ((fit.checks, ""), (fit.corrected, f", {fit.webarena_steps:.0%} of the steps"))
            for row in checks
        )
        columns = ("benchmark", "agent", "published $", "modelled $", "error")
        notes = (f"Mean page {fit.page:,.0f} tokens, {fit.steps:.1f} steps an episode on WorkArena L1.",)
        print(Table("cost_model", f"Dollars as {reading}", columns, rows, notes).markdown())
    shares = (break_even(paper_step(), BACKBONE, RETRIEVER), break_even(assumed_step(7_000, 10), BACKBONE, RETRIEVER))
    cached = break_even(assumed_step(7_000, 10, cached_share=0.3), BACKBONE, RETRIEVER)
    print(f"Pays from {shares[0]:.0%} (the paper's estimate), {shares[1]:.0%} with prompts, line numbers and outputs,")
    print(f"{cached:.0%} when 30 % of the backbone's input is read from the provider's cache.")
