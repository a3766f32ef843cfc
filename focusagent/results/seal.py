"""Which attempts' pickles this user's studies wrote: a digest under a key that no foreign folder can know.

AgentLab's own loader runs what a pickle says. It may be used on folders that carry the seal, and on no others."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from contextlib import suppress
from pathlib import Path

_KEY = "seal.key"
_BYTES = 32


def seal(folder: Path) -> str:
    """The seal of an attempt's folder as it is now; "" where no key can be kept or a file cannot be read."""
    key = _key()
    if not key:
        return ""
    digest = hmac.new(key, digestmod=hashlib.sha256)
    try:
        for path in sorted(path for path in folder.iterdir() if path.name.endswith((".pkl", ".pkl.gz"))):
            digest.update(f"{path.name}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    except OSError:
        return ""
    return digest.hexdigest()


def is_sealed(folder: Path, known: str) -> bool:
    """Whether the folder still is what it was when it was sealed."""
    now = seal(folder)
    return bool(now) and hmac.compare_digest(now, known)


def _key() -> bytes:
    """This user's key, made when it is first needed; b"" where none can be kept."""
    home = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "focusagent"
    path = home / _KEY
    with suppress(OSError):
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
        # Made whole before it has its name, so that two studies at once end with one key.
        fresh = home / f".{_KEY}.{secrets.token_hex(8)}"
        if not path.exists():
            handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(secrets.token_bytes(_BYTES))
            with suppress(FileExistsError):
                os.link(fresh, path)
            fresh.unlink()
    try:
        key = path.read_bytes()
    except OSError:
        return b""
    return key if len(key) == _BYTES else b""
