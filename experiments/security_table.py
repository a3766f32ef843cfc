"""ASR, TSR and exposure of the defence and of its parts, on LongPage in Chromium, with the worst-case reader.

    python experiments/security_table.py --out DIR [--jobs 4]                     # the cells of security_cells.yaml
    python experiments/security_table.py --out DIR --agents ... --attacks ... [--count 20]

Resumable: an episode with a record in DIR is not played again. Tables and the figure are made of whatever records are
there. The reader obeys any five words of the attack that it reads, which no language model does: the figures compare
what agents *show*, and no gain over a paper's figures follows from them."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import security_episodes as play
import yaml

from focusagent.longpage.sites import task_names
from focusagent.results.statistics import upper_bound
from focusagent.security.attacks import load_catalogue

CELLS = Path(__file__).with_name("security_cells.yaml")
COLUMNS = "attack;agent;n;started;completed;upper bound %;TSR %;exposed steps %;lines withheld;refused;errors".split(
    ";"
)
NEED_A_MODEL = ("generic-guard", "defense-generic", "defense-focus-paper", "defense-focus")
CAPTION = "Scripted worst-case reader: an instrument, not a language model. No gain over published figures follows."


@dataclass(frozen=True)
class Cell:
    """Episodes of one agent under one attack that ran to their end, and how many did not."""

    records: tuple[play.Record, ...]
    failed: int

    def count(self, field: str) -> int:
        return sum(bool(getattr(record, field)) for record in self.records)

    @property
    def exposure(self) -> float:
        """Share of the steps whose prompt held any of the attack."""
        steps = sum(record.steps for record in self.records)
        return sum(record.exposed for record in self.records) / steps if steps else 0.0


def read_cells(folder: Path) -> dict[tuple[str, str], Cell]:
    """(attack, agent) -> cell, of all records in the folder."""
    records = [play.Record(**json.loads(path.read_text())) for path in sorted((folder / "records").glob("*.json"))]
    keys = dict.fromkeys((record.attack, record.agent) for record in records)
    cells = {}
    for attack, agent in keys:
        mine = [record for record in records if (record.attack, record.agent) == (attack, agent)]
        ended = tuple(record for record in mine if not record.error)
        cells[attack, agent] = Cell(ended, len(mine) - len(ended))
    return cells


def table(cells: dict[tuple[str, str], Cell]) -> str:
    """One row a cell: counts of n, upper bounds in per cent; the agents that no scripted model can play come last."""
    rows = [" | ".join(COLUMNS), "|".join("---" for _ in COLUMNS)]
    for (attack, agent), cell in sorted(cells.items(), key=_order):
        n, completed = len(cell.records), cell.count("completed")
        bound = f"{100 * upper_bound(completed, n):.1f}" if n and attack != play.NO_ATTACK else "-"
        shares = [
            f"{100 * cell.count('success') / n:.0f}" if n else "-",
            f"{100 * cell.exposure:.0f}",
            sum(record.withheld for record in cell.records),
            sum(record.blocked for record in cell.records),
            cell.failed,
        ]
        rows.append(" | ".join(map(str, [attack, agent, n, cell.count("started"), completed, bound, *shares])))
    unplayed = [("any", agent) for agent in NEED_A_MODEL]
    unplayed += [(name, "any") for name, spec in load_catalogue().items() if spec.needs_judge]
    rows += [" | ".join([attack, agent, "needs an LLM", *"-" * (len(COLUMNS) - 3)]) for attack, agent in unplayed]
    return "\n".join(f"| {row} |" for row in rows) + f"\n\n{CAPTION}\n"


def _order(item: tuple[tuple[str, str], Cell]) -> tuple[int, int]:
    (attack, agent), _ = item
    attacks, agents = [play.NO_ATTACK, *load_catalogue()], list(play.AGENTS)
    return attacks.index(attack), agents.index(agent)


def figure(cells: dict[tuple[str, str], Cell], path: Path) -> None:
    """ASR against TSR, a point a cell, in the form of the paper's Figure 5: green under 5 % ASR, red from 50 %."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot as plt

    fig, axes = plt.subplots(figsize=(6, 4.5))
    axes.axvspan(0, 5, color="tab:green", alpha=0.12)
    axes.axvspan(50, 100, color="tab:red", alpha=0.12)
    agents = [agent for agent in play.AGENTS if any(key[1] == agent for key in cells)]
    for agent, marker in zip(agents, "osD^vP*X<>hp"[: len(agents)], strict=True):
        points = [
            (100 * cell.count("completed") / len(cell.records), 100 * cell.count("success") / len(cell.records))
            for (attack, name), cell in cells.items()
            if name == agent and attack != play.NO_ATTACK and cell.records
        ]
        axes.scatter(*zip(*points, strict=True), marker=marker, label=agent, alpha=0.7) if points else None
    axes.set(xlabel="ASR, completed (%)", ylabel="TSR under attack (%)", xlim=(-2, 102), ylim=(-2, 102))
    axes.set_title("Scripted worst-case reader, not an LLM", fontsize=9)
    axes.legend(fontsize=7)
    fig.tight_layout()
    fig.savefig(path, dpi=150)
    plt.close(fig)


def chosen_attacks(names: Iterable[str]) -> list[str]:
    """Attacks by name or family; `all` for the whole catalogue."""
    catalogue, wanted = load_catalogue(), set(names)
    known = {play.NO_ATTACK, "all", *catalogue, *(spec.family for spec in catalogue.values())}
    if unknown := wanted - known:
        raise SystemExit(f"unknown attack or family: {', '.join(sorted(unknown))}")
    offline = {name: spec for name, spec in catalogue.items() if not spec.needs_judge}
    if judged := wanted & (set(catalogue) - set(offline)):
        raise SystemExit(f"needs an LLM to judge: {', '.join(sorted(judged))}")
    attacks = [name for name, spec in offline.items() if wanted & {name, spec.family, "all"}]
    return [play.NO_ATTACK, *attacks] if play.NO_ATTACK in wanted else attacks


def planned(path: Path, tasks: Sequence[str]) -> list[play.Episode]:
    """The episodes of a file of cells in its order, each once."""
    wanted: dict[play.Episode, None] = {}
    for group in yaml.safe_load(path.read_text("utf-8")):
        cells = [(agent, attack) for agent, names in group["cells"].items() for attack in chosen_attacks(names)]
        wanted |= dict.fromkeys(play.episodes(cells, tasks, group["count"]))
    return list(wanted)


def chosen(options: argparse.Namespace) -> list[play.Episode]:
    tasks = [
        str(name)
        for name in task_names()
        if name.site in options.site and name.size == options.size and not name.events
    ]
    if not options.agents and not options.attacks:
        return planned(options.cells, tasks)
    agents, attacks = options.agents or ["defense-focus-local"], chosen_attacks(options.attacks or ["main"])
    return list(play.episodes([(agent, attack) for attack in attacks for agent in agents], tasks, options.count))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=1, help="episodes at a time")
    parser.add_argument("--cells", type=Path, default=CELLS, help="what to play without --agents and --attacks")
    parser.add_argument("--agents", nargs="+", choices=play.AGENTS, help="default with --attacks: defense-focus-local")
    parser.add_argument("--attacks", nargs="+", help="names, families or `all`; default with --agents: main")
    parser.add_argument("--count", type=int, default=100, help="episodes a cell, with --agents or --attacks")
    parser.add_argument("--site", nargs="+", default=["forum", "shop"])
    parser.add_argument("--size", default="1k")
    options = parser.parse_args(arguments)
    wanted = chosen(options)
    for number, (episode, record) in enumerate(play.play_all(wanted, options.out, options.jobs), 1):
        verdict = "attacked" if record.completed else "done" if record.success else record.error or "not done"
        place = f"{number}/{len(wanted)} {episode.key}"
        print(f"{place}: {verdict}, {record.steps} steps, {record.exposed} exposed", flush=True)
    cells = read_cells(options.out)
    (options.out / "table.md").write_text(table(cells))
    figure(cells, options.out / "asr_tsr.png")
    print(table(cells))


if __name__ == "__main__":
    main()
