"""Example steps for the report: what was pruned, what a retriever answered, chunks, formats, prompts, attacked pages.

All of it comes from recorded steps: pages and answers are shown as text and never run."""

from __future__ import annotations

from pathlib import Path

from focusagent.axtree import KEEPS, AxTree, LineRanges, prune
from focusagent.results.attacked_pages import attacked_pages
from focusagent.results.frames import Results, load_results, without_attacks
from focusagent.results.recorded import RecordedStep, steps_by
from focusagent.results.records import get
from focusagent.results.report import Block, Section, cut

EXAMPLE_PAGE = (600, 8_500)
STRATEGIES = ("soft", "neutral", "aggressive", "defense")
CHUNK_RETRIEVERS = ("bm25-200", "embedding-200")


def example_sections(source: Path) -> list[Section]:
    """Sections for `write_report`; those for which nothing was recorded are left out."""
    results = load_results(source)
    made = (_most_pruned(results), _answer(results), _on_one_page(results), attacked_pages(results))
    return [section for section in made if section is not None]


def _most_pruned(results: Results) -> Section | None:
    """Figures 6 and 26 to 31: the most-pruned step of each benchmark."""
    blocks = []
    benchmarks = dict(zip(results.episodes["id"], results.episodes["benchmark"], strict=True))
    of_step = results.steps["id"].map(benchmarks)
    for benchmark in dict.fromkeys(results.episodes["benchmark"]):
        mask = (of_step == benchmark) & (results.steps["axtree_tokens_pruned"] < results.steps["axtree_tokens_full"])
        step = next(steps_by(results, mask, "pruning"), None)
        if step is not None:
            pruned = step.text("pruned_axtree")
            blocks.append(Block(f"{benchmark}: {step.title}, as the backbone saw it", cut(pruned)))
            blocks.append(Block(f"{benchmark}: the same page whole", cut(step.page)))
    return Section("examples-pruned", "Most-pruned steps", blocks=tuple(blocks)) if blocks else None


def _answer(results: Results) -> Section | None:
    """Figure 13: a retriever's prompt and its answer with the reasoning."""
    asked = results.steps.get("retriever_calls")
    if asked is None:
        return None
    for step in steps_by(results, asked > 0, "retriever_calls"):
        blocks = []
        for call in step.ours.get("calls") or ():
            prompt = "\n\n".join(str(get(message, "content", "")) for message in get(call, "messages", ()))
            blocks += [Block("prompt", cut(prompt)), Block("answer", cut(str(get(call, "answer", ""))))]
        if blocks:
            return Section("examples-answer", f"A retriever's answer: {step.title}", blocks=tuple(blocks))
    return None


def _on_one_page(results: Results) -> Section | None:
    """Figures 2, 14, 15 and the formats of Table 4b, all on one recorded page of moderate length."""
    results = without_attacks(results)
    full = results.steps["axtree_tokens_full"]
    step = next(steps_by(results, full.between(*EXAMPLE_PAGE), "axtree_tokens_full"), None)
    if step is None:
        return None
    tree = AxTree.parse(step.page)
    chosen = step.ranges("ranges") if step.ranges("removed") else _chosen_by("local", step, tree)
    blocks = [Block("1. the page, numbered", cut(_numbered(tree)))]
    blocks.append(Block("2. the chosen lines", ", ".join(f"{a}-{b}" for a, b in chosen.pairs)))
    blocks += [Block(f"3. the pruned page, keep = {keep}", cut(prune(tree, chosen, keep).text)) for keep in KEEPS]  # type: ignore[arg-type]
    for name in CHUNK_RETRIEVERS:
        blocks.append(Block(f"chunks of {name}", cut(prune(tree, _chosen_by(name, step, tree)).text)))
    blocks += [Block(f"our prompt, strategy {name}", cut(_prompt(name, step, tree))) for name in STRATEGIES]
    lines = (f"{step.title}. Goal: {step.goal}",)
    return Section("examples-page", "One page all the way", lines, blocks=tuple(blocks))


def _chosen_by(name: str, step: RecordedStep, tree: AxTree) -> LineRanges:
    from focusagent.retrieval import Query, make_retriever

    return make_retriever(name).select(Query(step.goal, tree)).ranges


def _prompt(strategy: str, step: RecordedStep, tree: AxTree) -> str:
    from focusagent.retrieval import Query
    from focusagent.retrieval.llm.prompting import PromptOptions, render

    messages = render(PromptOptions(strategy=strategy), Query(step.goal, tree), _numbered(tree), step.goal)
    return "\n\n".join(str(message["content"]) for message in messages)


def _numbered(tree: AxTree) -> str:
    return "\n".join(f"{line.number} {line.text}" for line in tree.lines)
