"""`prune` on pages that are not in BrowserGym's form."""

import json
from pathlib import Path

from focusagent.prune_command import Settings, run_prune

SNAPSHOT = "\n".join(["- main [ref=e1]:", *(f'  - button "Item {n}" [ref=e{n}]' for n in range(2, 200))])


def test_json_says_dialect_and_note(tmp_path: Path) -> None:
    file = tmp_path / "page.yml"
    file.write_text(SNAPSHOT)
    answer = run_prune(str(file), Settings("Press Item 77")).as_json()
    assert (answer["dialect"], answer["note"]) == ("aria", "")
    assert '- button "Item 77" [ref=e77]' in answer["text"]
    assert "# ... pruned" in answer["text"]


def test_json_says_that_a_text_is_no_tree(tmp_path: Path) -> None:
    file = tmp_path / "page.json"
    file.write_text(json.dumps({"children": [{"role": "button"}]}, indent=1))
    result = run_prune(str(file), Settings("x"))
    assert "JSON" in result.as_json()["note"]
    assert result.text == file.read_text()
    assert run_prune(str(file), Settings("x", defense=True)).as_json()["text"].startswith("... pruned")
