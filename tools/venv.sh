#!/usr/bin/env bash
# Usage: tools/venv.sh DIR
# Makes the virtual environment DIR with exactly what requirements.txt pins, and focusagent itself in it, editable.
# PYTHON names the interpreter to use; otherwise the first of Python 3.11 and 3.12 that is found.
set -euo pipefail
venv=$1

fits() { "$1" -c 'import ensurepip, sys, venv; sys.exit(not (3, 11) <= sys.version_info < (3, 13))' 2>/dev/null; }

find_python() {
  for candidate in ${PYTHON:-python3 python3.12 python3.11 python}; do
    if fits "$candidate"; then echo "$candidate"; return; fi
  done
  echo "focusagent needs Python 3.11 or 3.12 with its venv module (on Debian: apt-get install python3-venv)," >&2
  echo "and ${PYTHON:-none on PATH} is one; PYTHON=/path/to/python3.12 make venv names it." >&2
  return 1
}

with_uv() {
  # uv reads neither pip's registry nor, unless told, the system's certificates.
  local registry
  registry=${PIP_INDEX_URL:-$("$venv/bin/python" -m pip config get global.index-url 2>/dev/null || true)}
  if [ -n "$registry" ]; then export UV_DEFAULT_INDEX=${UV_DEFAULT_INDEX:-$registry}; fi
  export UV_SYSTEM_CERTS=1
  "$venv/bin/python" -m pip install -q "$(grep '^uv==' requirements.txt)" &&
    "$venv/bin/uv" pip sync -q --python "$venv/bin/python" requirements.txt &&
    "$venv/bin/uv" pip install -q --python "$venv/bin/python" --no-deps -e .
}

with_pip() {
  # The file is complete: pip's resolver would only backtrack for minutes.
  "$venv/bin/python" -m pip install -q --no-deps -r requirements.txt &&
    "$venv/bin/python" -m pip install -q --no-deps -e .
}

if ! fits "$venv/bin/python"; then
  python=$(find_python)
  echo "Making $venv with $("$python" --version)"
  "$python" -m venv --clear "$venv"
fi
echo "Installing the packages of requirements.txt (1.7 GB)"
with_uv || { echo "uv could not install them; trying pip, which is slower"; with_pip; }
