"""The service desk: record lists, long forms with reference fields and tabs, a catalogue, charts, a knowledge base."""

from focusagent.longpage.desk.app import Desk

SITE = Desk()
__all__ = ["SITE", "Desk"]
