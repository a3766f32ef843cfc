"""Attacks on the pages an agent visits, run through DoomArena (extra `security`). Nothing here imports it early."""

from focusagent.security.attacks.catalogue import AttackSpec, Filled, Part, load_catalogue
from focusagent.security.attacks.doom import DoomAttack

__all__ = ["AttackSpec", "DoomAttack", "Filled", "Part", "load_catalogue"]
