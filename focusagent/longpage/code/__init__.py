"""The code host: files, issues with labels and milestones, a merge request, settings. For testing only."""

from focusagent.longpage.code.app import Code

SITE = Code()
__all__ = ["SITE", "Code"]
