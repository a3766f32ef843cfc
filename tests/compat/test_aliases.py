import subprocess
import sys
from importlib import import_module

import pytest

from focusagent.compat.aliases import MOVED


@pytest.mark.parametrize(("old", "new"), sorted(MOVED.items()))
def test_an_old_name_is_the_module_that_took_its_place(old: str, new: str) -> None:
    sys.modules.pop(old, None)
    with pytest.warns(DeprecationWarning, match=new):
        module = import_module(old)
    assert module is import_module(new)


def test_old_names_load_nothing_before_they_are_used() -> None:
    code = f"import focusagent, sys; print({set(MOVED.values())!r} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "set()"
