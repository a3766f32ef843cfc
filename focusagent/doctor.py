"""What this machine has and lacks, for which study, and the command or setting that mends it."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from focusagent.browser import BrowserError, expected_path, install_browser, started_version
from focusagent.compat import nltk_data
from focusagent.errors import UserError
from focusagent.printing import add_row, plain, tell
from focusagent.printing import show as show_table

EVERYTHING, DEMO_TOO = "everything", "MiniWoB, demo"
FREE_GB = 2
WEBARENA_SERVERS = tuple(
    f"WA_{site}" for site in "SHOPPING SHOPPING_ADMIN REDDIT GITLAB WIKIPEDIA MAP HOMEPAGE".split()
)
WORKARENA_INSTANCE = ("SNOW_INSTANCE_URL", "SNOW_INSTANCE_UNAME", "SNOW_INSTANCE_PWD")


@dataclass(frozen=True)
class Finding:
    """One thing that studies need. `fix` is the command or setting that provides it, given whether present or not."""

    what: str
    serves: str
    present: bool
    detail: str
    fix: str

    @property
    def stops_demo(self) -> bool:
        return not self.present and self.serves in (EVERYTHING, DEMO_TOO)


def python_version() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    fits = (3, 11) <= sys.version_info[:2] < (3, 13)
    return Finding("Python 3.11 or 3.12", EVERYTHING, fits, version, "PYTHON=python3.12 make venv")


def browser() -> Finding:
    try:
        version, starts = f"{started_version()} at {expected_path()}", True
    except BrowserError as error:
        version, starts = str(error), False
    return Finding("Chromium", EVERYTHING, starts, version, "focusagent install-browser")


def disk_space() -> Finding:
    folder = Path(os.environ.get("AGENTLAB_EXP_ROOT") or Path.home())
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free / 1e9
    fix = "export AGENTLAB_EXP_ROOT=FOLDER on a larger disk"
    return Finding("Disk for results", EVERYTHING, free >= FREE_GB, f"{free:.0f} GB free at {folder}", fix)


def miniwob_pages() -> Finding:
    url = os.environ.get("MINIWOB_URL", "")
    parts = urlsplit(url)
    served = parts.scheme in ("http", "https")
    present = served or (parts.scheme == "file" and Path(url2pathname(parts.path), "click-test.html").is_file())
    detail = url + (" (a server, not asked)" if served else "" if present else " has no task pages")
    return Finding("MiniWoB pages", DEMO_TOO, present, detail or "MINIWOB_URL is not set", "unset MINIWOB_URL")


def model_keys() -> Finding:
    from focusagent.models.addresses import KEYS

    found = [name for name in KEYS.values() if os.environ.get(name)]
    fix = f"export {KEYS['openai']}=... (or another provider's: {', '.join(list(KEYS.values())[1:])})"
    return Finding("Key of a model", "LLM backbones and retrievers", bool(found), ", ".join(found) or "none", fix)


def webarena_servers() -> Finding:
    missing = [name for name in WEBARENA_SERVERS if not os.environ.get(name)]
    detail = f"{len(missing)} of {len(WEBARENA_SERVERS)} addresses are not set" if missing else "all addresses are set"
    return Finding("WebArena servers", "WebArena", not missing, detail, f"export {'=... '.join(WEBARENA_SERVERS)}=...")


def webarena_judge() -> Finding:
    present = bool(os.environ.get("OPENAI_API_KEY"))
    detail = "OPENAI_API_KEY is set" if present else "OPENAI_API_KEY is not set"
    return Finding("WebArena's judge", "WebArena", present, detail, "export OPENAI_API_KEY=...")


def sentence_data() -> Finding:
    present = nltk_data.sentence_data_installed()
    detail = "installed" if present else "missing; it compares answers"
    return Finding(f"NLTK's {nltk_data.RESOURCE}", "WebArena", present, detail, "focusagent doctor --fix")


def workarena_instance() -> Finding:
    from huggingface_hub import get_token

    pool = os.environ.get("SNOW_INSTANCE_POOL", "")
    missing = [name for name in WORKARENA_INSTANCE if not os.environ.get(name)]
    if not missing:
        detail = f"{WORKARENA_INSTANCE[0]} is set"
    elif pool and Path(pool).expanduser().is_file():
        detail = f"SNOW_INSTANCE_POOL {pool}"
    elif get_token():
        detail = "a Hugging Face token (the gated list of instances is not asked for)"
    else:
        detail = "not set, and no Hugging Face token"
    fix = f"export {'=... '.join(WORKARENA_INSTANCE)}=... (or ask for access to its instances: hf auth login)"
    return Finding("WorkArena instance", "WorkArena", not detail.startswith("not set"), detail, fix)


def package(module: str, what: str, serves: str, fix: str) -> Finding:
    present = find_spec(module) is not None
    return Finding(what, serves, present, "installed" if present else "not installed", fix)


def examine() -> list[Finding]:
    """Every check, those of the demo first. Starts the browser once; asks no network."""
    return [
        python_version(),
        browser(),
        disk_space(),
        miniwob_pages(),
        model_keys(),
        workarena_instance(),
        webarena_servers(),
        webarena_judge(),
        sentence_data(),
        package("doomarena.browsergym", "DoomArena", "attack studies", "pip install 'focusagent[security]'"),
        package("ray", "Ray", "studies on several cores or machines", "pip install ray"),
    ]


def repair(findings: Iterable[Finding], say: Callable[[str], None] = print) -> None:
    """Install what is missing and can be installed; what cannot is said and stays a finding."""
    missing = {finding.what for finding in findings if not finding.present}
    if "Chromium" in missing:
        try:
            install_browser(say)
        except UserError as error:
            say(str(error))
    if f"NLTK's {nltk_data.RESOURCE}" in missing:
        say(f"NLTK's {nltk_data.RESOURCE}: downloading")
        try:
            nltk_data.install_sentence_data()
        except (ValueError, OSError) as error:
            nltk_data.install_stand_in()
            say(f"  no: {error}")
            say("  an empty stand-in is in its place: WebArena's code can be imported, its answers cannot be compared")


def show(findings: Iterable[Finding]) -> None:
    """The table, then what mends each gap on a line of its own, then whether the demo can run."""
    from rich.console import Console
    from rich.table import Table

    findings = list(findings)
    table = Table("", "What", "For", box=None, pad_edge=False)
    table.add_column("State", overflow="fold")
    for finding in findings:
        mark = plain("ok", "green") if finding.present else plain("missing", "red" if finding.stops_demo else "yellow")
        add_row(table, [mark, finding.what, finding.serves, finding.detail])
    console = Console(highlight=False)
    show_table(console, table)
    for finding in findings:
        if not finding.present:
            tell(console, f"{finding.what} ({finding.serves}): {finding.fix}")
    stops = [finding.what for finding in findings if finding.stops_demo]
    tell(console, f"The demo cannot run: {', '.join(stops)}" if stops else "The demo can run: focusagent demo")


def run_doctor(fix: bool = False) -> int:
    """Examine, repair when asked, show; 0 when the demo can run, else 1."""
    findings = examine()
    if fix:
        repair(findings)
        findings = examine()
    show(findings)
    return int(any(finding.stops_demo for finding in findings))
