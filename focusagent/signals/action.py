"""Which actions of BrowserGym's high-level set type, choose, or have an effect that can be checked."""

from __future__ import annotations

TYPING = frozenset({"fill", "clear", "press", "keyboard_type", "keyboard_insert_text"})
CHOOSING = frozenset({"select_option", "check", "uncheck", "click", "dblclick", "press"})
CAUSING_NOTHING = frozenset({"noop", "send_msg_to_user", "report_infeasible", "show_lines", "find_on_page"})
WITH_DUE_EFFECT = frozenset({"click", "dblclick", "fill", "clear", "select_option", "check", "uncheck"})
FIELDS = frozenset({"textbox", "searchbox", "combobox", "spinbutton"})
