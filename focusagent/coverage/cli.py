"""`focusagent coverage`: what survives, what is removed, retriever by retriever."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from focusagent.printing import say, say_json


def coverage(
    steps: Annotated[Path, typer.Argument(metavar="STEPS.jsonl[.gz]|RESULT_DIR", help="Steps, or an agent's results.")],
    retriever: Annotated[
        list[str], typer.Option(metavar="NAME", help="Which retrievers; every one that needs no key by default.")
    ] = [],  # noqa: B006
    model: Annotated[str, typer.Option(metavar="NAME", help="Model of llm and local+llm, or of embedding-*.")] = "",
    cache: Annotated[str, typer.Option(metavar="DIR", help="Keep a model's answers here for reruns.")] = "",
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Write CSV, Markdown and the plot here.")] = None,
    simplify: Annotated[bool, typer.Option("--simplify/--no-simplify", help="Shorten trees first.")] = True,
    limit: Annotated[int | None, typer.Option(min=1, help="So many steps, evenly spread over the file.")] = None,
    max_cost: Annotated[float | None, typer.Option(min=0, help="Stop a retriever once it has cost so much.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as one JSON object.")] = False,
) -> None:
    """How often what a step needed survives a retriever, and how much of the page it removes."""
    from focusagent.coverage.contenders import EMBEDDINGS, contender, needing_no_key
    from focusagent.coverage.report import Comparison
    from focusagent.coverage.steps import read_steps, spread
    from focusagent.coverage.tables import to_markdown
    from focusagent.extras import installed, missing_extra
    from focusagent.retrieval.chunked.embedders import StaticEmbedder

    if not retriever and not StaticEmbedder.installed():
        say(f"left out: {missing_extra('wordllama', ', '.join(EMBEDDINGS))}", error=True)
    names = list(dict.fromkeys(retriever)) or needing_no_key()
    contenders = [contender(name, simplify, model, cache) for name in names]
    chosen = spread(read_steps(steps, lambda line: say(f"left out: {line}", error=True)), limit)
    comparison = Comparison(chosen, contenders, max_cost)
    if out is not None:
        comparison.write(out)
        if not installed("matplotlib"):
            say(str(missing_extra("matplotlib", "the plot")), error=True)
    if as_json:
        say_json({"retrievers": {one.retriever: one.as_json() for one in comparison.overall}})
    else:
        say(to_markdown(comparison.summaries).removesuffix("\n"))
