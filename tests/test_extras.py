import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from focusagent.extras import EXTRA_OF, explained, missing_extra

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
# In a fresh interpreter: everything that only an extra brings is not there, as in a light install.
ABSENT = set(EXTRA_OF) - {"mcp"}
LIGHT = f"""
import sys
absent = {ABSENT!r}
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in absent:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Absent())
import importlib.util
found = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name in absent else found(name, package)
"""


def light(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    code = f"{LIGHT}\nfrom focusagent.cli import main\nsys.argv = ['focusagent', *{arguments!r}]\nmain()"
    return subprocess.run([sys.executable, "-c", code], input=stdin, capture_output=True, text=True, timeout=120)


PAGE = "RootWebArea 'Shop'\n" + "\n".join(f"\t[{n}] link 'Product {n}'" for n in range(200))


def test_a_light_install_prunes_a_file_and_vets_it() -> None:
    result = light("prune", "-", "--goal", "open product 17", "--defense", stdin=PAGE)
    assert "[17] link 'Product 17'" in result.stdout, result.stderr
    assert "pruned" in result.stdout
    assert result.returncode == 0


def test_a_light_install_measures_coverage(tmp_path: Path) -> None:
    steps = tmp_path / "steps.jsonl"
    steps.write_text('{"goal": "open 1", "axtree": "RootWebArea \'x\'\\n\\t[1] link \'one\'", "target_id": "1"}\n' * 2)
    result = light("coverage", str(steps), "--out", str(tmp_path / "out"))
    assert "bm25-200" in result.stdout, result.stderr
    assert "pip install 'focusagent[agentlab]'" in result.stderr
    assert (tmp_path / "out" / "coverage.csv").is_file()
    assert result.returncode == 0


@pytest.mark.parametrize(
    ("arguments", "extra"),
    [
        (("doctor",), "agentlab"),
        (("longpage", "list"), "agentlab"),
        (("prune", "https://example.org", "--goal", "x"), "agentlab"),
        (("prune", "-", "--goal", "x", "--retriever", "embedding-200"), "agentlab"),
        (("prune", "-", "--goal", "x", "--retriever", "llm", "--model", "gpt-4.1-mini"), "llm"),
    ],
)
def test_a_command_says_in_a_line_which_extra_it_lacks(arguments: tuple[str, ...], extra: str) -> None:
    result = light(*arguments, stdin=PAGE)
    assert result.stderr.splitlines()[-1].endswith(f"pip install 'focusagent[{extra}]'")
    assert len(result.stderr.splitlines()) == 1
    assert result.returncode == 1


def test_every_module_that_is_asked_for_comes_with_its_extra() -> None:
    """Directly, or with a package of that extra (scipy with scikit-learn, nltk with browsergym)."""
    modules = metadata.packages_distributions()
    named = {
        extra: {canonicalize_name(Requirement(text).name) for text in requirements}
        for extra, requirements in PROJECT["optional-dependencies"].items()
    }
    named["agentlab"] |= named["llm"]
    indirect = {"bgym", "browsergym", "gymnasium", "huggingface_hub", "nltk", "PIL", "scipy"}
    for module, extra in EXTRA_OF.items():
        if module not in indirect:
            assert {canonicalize_name(name) for name in modules[module]} & named[extra], module


def test_only_what_an_extra_brings_is_explained() -> None:
    assert explained(ModuleNotFoundError("No module named 'json5'", name="json5")) is None
    assert explained(ModuleNotFoundError("part of an installed package", name="numpy.nothing")) is None
    assert str(missing_extra("ray", "a study")).endswith("pip install 'focusagent[agentlab]'")
