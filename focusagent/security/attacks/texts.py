"""DoomArena's own attack texts by name, with host and port in place of the fixed ones it was written for."""

from __future__ import annotations

from collections.abc import Callable

FIXED_HOST = "localhost:1234"


def _popup() -> str:
    from doomarena.browsergym.attacks.popup_attacks import DEFAULT_HIDDEN_WARNING_MESSAGE

    return str(DEFAULT_HIDDEN_WARNING_MESSAGE)


def _banner() -> str:
    from doomarena.browsergym.attacks.banner_attacks import warning_message_3

    return str(warning_message_3)


def _banner_alt() -> str:
    from doomarena.browsergym.attacks.banner_attacks import security_risk_message

    return str(security_risk_message)


def _comment() -> str:
    from doomarena.browsergym.attacks.user_generated_content import InformationTheftCommentAttack

    return str(InformationTheftCommentAttack().message)


DOOMARENA: dict[str, Callable[[], str]] = {
    "doomarena:popup": _popup,
    "doomarena:banner": _banner,
    "doomarena:banner-alt": _banner_alt,
    "doomarena:comment": _comment,
}


def attack_text(text: str) -> str:
    """The text itself, or DoomArena's of that name with `{host}` where it names its fixed server. Its braces and
    quotation marks are kept; only `{host}` is ever filled in."""
    if text not in DOOMARENA:
        return text
    return DOOMARENA[text]().replace(FIXED_HOST, "{host}")
