"""What the Django applications share: where their data lies, quick SQLite, accounts that are logged in already.

Runs in each application's environment."""

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

DATA = Path(os.environ["FOCUSAGENT_APP_DATA"])
SECRET = "not a secret: the copy lives on this machine for one episode"
DAY = datetime(2025, 9, 15, 9, 0, tzinfo=UTC)  # "today" of the content
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
]
CONTEXT_PROCESSORS = [
    "django.template.context_processors.debug",
    "django.template.context_processors.request",
    "django.contrib.auth.context_processors.auth",
    "django.contrib.messages.context_processors.messages",
]


def database(atomic: bool = False) -> dict[str, Any]:
    """Nothing here must survive a power cut, so nothing waits for the disk."""
    options = {"init_command": "PRAGMA synchronous=OFF", "timeout": 20}
    file = {"ENGINE": "django.db.backends.sqlite3", "NAME": DATA / "db.sqlite3", "OPTIONS": options}
    return {"default": {**file, "ATOMIC_REQUESTS": atomic}}


def templates(*processors: str) -> list[dict[str, Any]]:
    return [
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "APP_DIRS": True,
            "OPTIONS": {"context_processors": [*CONTEXT_PROCESSORS, *processors]},
        }
    ]


def days_ago(days: int, minutes: int = 0) -> datetime:
    return DAY - timedelta(days=days, minutes=minutes)


def keep_logged_in(**users: Any) -> None:
    """Write the cookies of a session for each user under the login's name."""
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    known = {}
    for name, user in users.items():
        session = SessionStore()
        session[SESSION_KEY] = str(user.pk)
        session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
        session[HASH_SESSION_KEY] = user.get_session_auth_hash()
        session.set_expiry(10 * 365 * 24 * 3600)
        session.create()
        known[name] = [{"name": settings.SESSION_COOKIE_NAME, "value": session.session_key}]
    (DATA / "cookies.json").write_text(json.dumps(known))
