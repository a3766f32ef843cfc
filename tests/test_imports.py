import ast
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import focusagent

ROOT = Path(focusagent.__file__).parent
HEAVY = {"agentlab", "browsergym", "bgym", "playwright", "ray", "gradio", "torch", "transformers", "litellm", "nltk"}
BENCHMARKS = {"browsergym", "bgym", "miniwob", "webarena", "visualwebarena"}
LAYERS = [
    {
        "errors",
        "extras",
        "printing",
        "dom",
        "masking",
        "observation",
        "compat",
        "browser",
        "page",
        "axtree",
        "actions",
        "folders",
        "sizes",
    },
    {"environments", "models", "retrieval", "second_look", "scripted"},
    {"security", "signals", "focused", "focuser", "long_lines", "doctor"},
    {"agents", "longpage", "apps"},
    {"coverage", "results", "studies", "mcp"},
    {"cli", "prune_command"},
]
HEIGHT = {part: height for height, parts in enumerate(LAYERS) for part in parts}


def imports(path: Path) -> set[str]:
    """Each module that the file imports, at its top or in functions; `from focusagent import a` is `focusagent.a`."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"relative import in {path}"
            module = node.module or ""
            found |= {f"{module}.{name.name}" for name in node.names} if module == "focusagent" else {module}
    return found


def part_of(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def parts_imported(path: Path) -> set[str]:
    own = {name.split(".")[1] for name in imports(path) if name.startswith("focusagent.")}
    return own - {part_of(path)}


SOURCES = [path for path in sorted(ROOT.rglob("*.py")) if path != ROOT / "__init__.py"]
DEPENDENCIES: dict[str, set[str]] = {}
for source in SOURCES:
    DEPENDENCIES.setdefault(part_of(source), set()).update(parts_imported(source))


def test_each_part_has_its_layer() -> None:
    assert DEPENDENCIES.keys() - HEIGHT.keys() == set()


@pytest.mark.parametrize("part", sorted(DEPENDENCIES))
def test_arrows_point_downwards(part: str) -> None:
    above = {other for other in DEPENDENCIES[part] if HEIGHT[other] > HEIGHT[part]}
    assert not above


def test_no_two_parts_need_each_other() -> None:
    TopologicalSorter(DEPENDENCIES).prepare()  # raises CycleError, which names the parts


def test_the_kernel_needs_the_standard_library_only() -> None:
    allowed = sys.stdlib_module_names | {"focusagent"}
    for path in (ROOT / "axtree").rglob("*.py"):
        assert {name.split(".")[0] for name in imports(path)} <= allowed, path
    assert DEPENDENCIES["axtree"] == set()


def test_models_know_no_benchmark() -> None:
    for path in (ROOT / "models").rglob("*.py"):
        assert not {name.split(".")[0] for name in imports(path)} & BENCHMARKS, path
    assert "longpage" not in DEPENDENCIES["models"]


@pytest.mark.parametrize(
    "module",
    [
        "focusagent",
        "focusagent.cli",
        "focusagent.axtree",
        "focusagent.retrieval",
        "focusagent.focuser",
        "focusagent.signals",
        "focusagent.security.detect",
        "focusagent.security.gate",
        "focusagent.security.sandbox",
    ],
)
def test_importing_loads_nothing_heavy(module: str) -> None:
    code = f"import sys, {module}; print(*sorted({{name.split('.')[0] for name in sys.modules}} & {HEAVY!r}))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (loaded.stdout.strip(), loaded.stderr, loaded.returncode) == ("", "", 0)
