"""Example steps for the report: what was pruned, what a retriever answered, chunks, formats, prompts, attacked pages.

All of it comes from recorded steps: pages and answers are shown as text and never run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from focusagent.axtree import KEEPS, AxTree, LineRanges, prune
from focusagent.results.frames import Results, load_results
from focusagent.results.records import UnreadableRecord, get, read_record
from focusagent.results.report import Block, Picture, Section, picture

MAX_CHARACTERS = 12_000
EXAMPLE_PAGE = (600, 6_000)
STRATEGIES = ("soft", "neutral", "aggressive", "defense")
CHUNK_RETRIEVERS = ("bm25-200", "embedding-200")


@dataclass(frozen=True)
class RecordedStep:
    """One step with its page. `ours` is what our agents recorded, {} for other agents."""

    agent: str
    task: str
    number: int
    goal: str
    page: str
    ours: dict[str, Any]
    screenshot: Path

    @property
    def title(self) -> str:
        return f"{self.agent} on {self.task}, step {self.number}"

    def ranges(self, field: str) -> LineRanges:
        return LineRanges.of((pair[0], pair[1]) for pair in self.ours.get(field) or ())


def example_sections(source: Path) -> list[Section]:
    """Sections for `write_report`; those for which nothing was recorded are left out."""
    results = load_results(source)
    made = (_most_pruned(results), _answer(results), _on_one_page(results), _attacked(results))
    return [section for section in made if section is not None]


def _steps_by(results: Results, mask: Any, by: str) -> Iterator[RecordedStep]:
    """Recorded steps that `mask` chooses, those with the most of `by` first."""
    chosen = results.steps[mask & (results.steps["asked"] == 1)].sort_values(by, ascending=False, kind="stable")
    folders = dict(zip(results.episodes["id"], results.episodes["folder"], strict=True))
    for row in chosen.to_dict("records"):
        folder, number = Path(folders[row["id"]]), int(row["step"])
        try:
            info = read_record(folder / f"step_{number}.pkl.gz")
        except UnreadableRecord:
            continue
        page = get(info, "obs.axtree_txt", "")
        goal = get(info, "obs.goal", "")
        ours = get(info, "agent_info.extra_info.focusagent", {})
        if page:
            picture_file = folder / f"screenshot_step_{number}.png"
            yield RecordedStep(row["agent"], row["task"], number, str(goal), page, ours, picture_file)


def _most_pruned(results: Results) -> Section | None:
    """Figures 6 and 26 to 31: the most-pruned step of each benchmark."""
    blocks = []
    benchmarks = dict(zip(results.episodes["id"], results.episodes["benchmark"], strict=True))
    of_step = results.steps["id"].map(benchmarks)
    for benchmark in dict.fromkeys(results.episodes["benchmark"]):
        mask = (of_step == benchmark) & (results.steps["axtree_tokens_pruned"] < results.steps["axtree_tokens_full"])
        step = next(_steps_by(results, mask, "pruning"), None)
        if step is not None:
            pruned = step.ours.get("pruned_axtree", "")
            blocks.append(Block(f"{benchmark}: {step.title}, as the backbone saw it", _cut(pruned)))
            blocks.append(Block(f"{benchmark}: the same page whole", _cut(step.page)))
    return Section("examples-pruned", "Most-pruned steps", blocks=tuple(blocks)) if blocks else None


def _answer(results: Results) -> Section | None:
    """Figure 13: a retriever's prompt and its answer with the reasoning."""
    asked = results.steps.get("retriever_calls")
    if asked is None:
        return None
    for step in _steps_by(results, asked > 0, "retriever_calls"):
        blocks = []
        for call in step.ours.get("calls") or ():
            prompt = "\n\n".join(str(message.get("content", "")) for message in call.get("messages") or ())
            blocks += [Block("prompt", _cut(prompt)), Block("answer", _cut(str(call.get("answer", ""))))]
        if blocks:
            return Section("examples-answer", f"A retriever's answer: {step.title}", blocks=tuple(blocks))
    return None


def _on_one_page(results: Results) -> Section | None:
    """Figures 2, 14, 15 and the formats of Table 4b, all on one recorded page of moderate length."""
    full = results.steps["axtree_tokens_full"]
    step = next(_steps_by(results, full.between(*EXAMPLE_PAGE), "axtree_tokens_full"), None)
    if step is None:
        return None
    tree = AxTree.parse(step.page)
    chosen = step.ranges("ranges") if step.ranges("removed") else _chosen_by("local", step, tree)
    blocks = [Block("1. the page, numbered", _cut(_numbered(tree)))]
    blocks.append(Block("2. the chosen lines", ", ".join(f"{a}-{b}" for a, b in chosen.pairs)))
    blocks += [Block(f"3. the pruned page, keep = {keep}", _cut(prune(tree, chosen, keep).text)) for keep in KEEPS]  # type: ignore[arg-type]
    for name in CHUNK_RETRIEVERS:
        blocks.append(Block(f"chunks of {name}", _cut(prune(tree, _chosen_by(name, step, tree)).text)))
    blocks += [Block(f"our prompt, strategy {name}", _cut(_prompt(name, step, tree))) for name in STRATEGIES]
    return Section(
        "examples-page", f"One page all the way: {step.title}", (f"Goal: {step.goal}",), blocks=tuple(blocks)
    )


def _chosen_by(name: str, step: RecordedStep, tree: AxTree) -> LineRanges:
    from focusagent.retrieval import Query, make_retriever

    return make_retriever(name).select(Query(step.goal, tree)).ranges


def _prompt(strategy: str, step: RecordedStep, tree: AxTree) -> str:
    from focusagent.retrieval import Query
    from focusagent.retrieval.prompting import PromptOptions, render

    messages = render(PromptOptions(strategy=strategy), Query(step.goal, tree), _numbered(tree), step.goal)
    return "\n\n".join(str(message["content"]) for message in messages)


def _attacked(results: Results) -> Section | None:
    """Figures 18 to 23: attacked pages before and after sanitising, with screenshots; one step an attack and kind."""
    flagged = results.steps.get("sanitized_lines")
    if flagged is None:
        return None
    attacks = dict(zip(results.episodes["id"], results.episodes["attacks"], strict=True))
    blocks, pictures = list[Block](), list[Picture]()
    for attack in sorted(set(attacks.values()) - {""}):
        mask = (flagged > 0) & (results.steps["id"].map(attacks) == attack)
        step = next(_steps_by(results, mask, "sanitized_lines"), None)
        if step is None:
            continue
        tree = AxTree.parse(step.page)
        lines = "\n".join(tree.line(number).text.strip() for number in step.ranges("flagged").clip(len(tree)))
        blocks.append(Block(f"{attack}: withheld lines of {step.title}", _cut(lines)))
        blocks.append(Block(f"{attack}: the page as the backbone saw it", _cut(step.ours.get("pruned_axtree", ""))))
        if step.screenshot.is_file():
            pictures.append(picture(f"attack-{attack}", f"{attack}: {step.title}", step.screenshot.read_bytes()))
    title = "Attacked pages, before and after sanitising"
    return Section("examples-attacks", title, pictures=tuple(pictures), blocks=tuple(blocks)) if blocks else None


def _numbered(tree: AxTree) -> str:
    return "\n".join(f"{line.number} {line.text}" for line in tree.lines)


def _cut(text: str) -> str:
    """Bounded, and what is gone is said."""
    if len(text) <= MAX_CHARACTERS:
        return text
    return f"{text[:MAX_CHARACTERS]}\n[{len(text) - MAX_CHARACTERS:,} characters more]"
