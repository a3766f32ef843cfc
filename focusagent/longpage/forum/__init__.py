"""The forum: sorted lists, votes, nested comments, a composer, user pages, moderation."""

from focusagent.longpage.forum.app import Forum

SITE = Forum()
__all__ = ["SITE", "Forum"]
