"""The detector on pages written for it: each condition, what explains a change, and what changes by itself."""

from __future__ import annotations

import pytest

from focusagent.axtree import AxTree
from focusagent.signals import ALL_KINDS, SignalKind, Signals, Snapshot, detect_signals

URL, NEW, FAILED, EVENT, MISSED = SignalKind
TIMEOUT = "TimeoutError: Locator.click: Timeout 500ms exceeded.\nCall log:\n" + "waiting for locator\n" * 100
FORM = """RootWebArea 'Sign in', url='https://a.example/in'
	[141] textbox 'Code'
	[150] button 'Verify', disabled=True
	[201] button 'Back'"""


def detect(before: str, after: str, action: str = "", error: str = "", **urls: str) -> Signals:
    return detect_signals(
        Snapshot(AxTree.parse(before), urls.get("was", "")),
        Snapshot(AxTree.parse(after), urls.get("now", ""), error),
        action,
    )


def kinds(signals: Signals) -> list[SignalKind]:
    return [signal.kind for signal in signals.fired]


def lines(signals: Signals, tree: str) -> list[str]:
    """The lines that the first signal names, without indentation."""
    return [AxTree.parse(tree).line(number).text.strip() for number in signals.fired[0].lines]


def test_nothing_happened() -> None:
    assert not detect(FORM, FORM, "noop()")


def test_a_button_that_becomes_enabled_is_news_and_the_typing_is_not() -> None:
    """browser-use#4518: the page changed after an action while its address stayed."""
    after = FORM.replace("'Code'", "'Code' value='123456', focused").replace(", disabled=True", "")
    signals = detect(FORM, after, "fill('141', '123456')")
    assert kinds(signals) == [EVENT]
    assert lines(signals, after) == ["[150] button 'Verify'"]
    assert signals.echo.pairs == ((2, 2),)


def test_typing_alone_is_no_signal() -> None:
    after = FORM.replace("'Code'", "'Code' value='123456', focused").replace(
        "\n\t[150]", "\n\t\tStaticText '123456'\n\t[150]"
    )
    assert not detect(FORM, after, "fill('141', '123456')")


def test_a_value_that_the_agent_did_not_type_is_news() -> None:
    after = FORM.replace("'Code'", "'Code' value='123456'")
    assert kinds(detect(FORM, after, "noop(1000)")) == [EVENT]


def test_a_failed_action_names_its_neighbours_and_a_short_error() -> None:
    """WorkArena#26, BrowserGym#140: the click times out on an identical tree with two kilobytes of error."""
    signals = detect(FORM, FORM, "click('141')", TIMEOUT)
    assert kinds(signals) == [FAILED]
    assert signals.fired[0].detail == "TimeoutError: Locator.click: Timeout 500ms exceeded."
    assert "[150] button 'Verify', disabled=True" in lines(signals, FORM)


def test_a_page_that_changes_while_waiting_is_an_event() -> None:
    after = FORM.replace("'Back'", "'Back to login'")
    assert kinds(detect(FORM, after, "noop()")) == [EVENT]


@pytest.mark.parametrize("role", ["dialog", "alertdialog", "menu", "alert", "listbox"])
def test_a_new_element_is_named_with_all_that_is_inside(role: str) -> None:
    after = FORM + f"\n\t[300] {role} 'Cookies'\n\t\tStaticText 'We use them'\n\t\t[301] button 'Accept'"
    signals = detect(FORM, after, "fill('141', '')")
    assert kinds(signals)[0] is NEW
    assert signals.fired[0].lines.pairs == ((5, 7),)
    assert signals.fired[0].detail.startswith(f"new: {role}")


def test_an_address_that_changed() -> None:
    assert kinds(detect(FORM, FORM, "goto('x')", was="https://a.example/", now="https://a.example/b")) == [URL]
    assert kinds(detect(FORM, FORM.replace("/in", "/out"), "click('201')"))[0] is URL


@pytest.mark.parametrize(("anchor", "fires"), [("#top", False), ("#/cart", True), ("#!cart", True)])
def test_anchors_are_no_transition_and_routes_are(anchor: str, fires: bool) -> None:
    signals = detect(FORM, FORM, "scroll(0, 100)", was="https://a.example/", now="https://a.example/" + anchor)
    assert (URL in kinds(signals)) == fires


def test_a_frame_that_loads_another_document_is_a_transition() -> None:
    before = "RootWebArea 'Top', url='https://a/'\n\t[1] Iframe ''\n\t\tRootWebArea 'List', url='https://a/list'"
    after = before.replace("list", "item")
    signals = detect(before, after, "click('1')")
    assert kinds(signals)[0] is URL
    assert signals.fired[0].lines.pairs == ((3, 3),)


def test_a_click_without_effect_failed_where_one_was_due() -> None:
    assert kinds(detect(FORM, FORM, "click('201')")) == [FAILED]
    assert kinds(detect(FORM, FORM, "click('999')")) == [FAILED]
    for harmless in ("noop()", "scroll(0, 200)", "hover('201')", "click('141')", "send_msg_to_user('done')", "2 +"):
        assert not detect(FORM, FORM, harmless)


RADIOS = """RootWebArea 'x'
	[7] radiogroup 'Colour'
		[8] radio 'Grey', focused, checked='true'
		[9] LabelText ''
		[10] radio 'Silver', checked='false'
		[11] LabelText ''
	[12] StaticText '$899.00'"""


def test_choosing_explains_the_state_of_its_group_and_no_price() -> None:
    after = RADIOS.replace(", focused, checked='true'", ", checked='false'", 1)
    after = after.replace("'Silver', checked='false'", "'Silver', focused, checked='true'")
    assert not detect(RADIOS, after, "click('11')")
    dearer = after.replace("$899.00", "$999.00")
    signals = detect(RADIOS, dearer, "click('11')")
    assert kinds(signals) == [EVENT]
    assert lines(signals, dearer) == ["[12] StaticText '$999.00'"]


def test_the_same_change_without_the_choice_is_an_event() -> None:
    after = RADIOS.replace("'Silver', checked='false'", "'Silver', checked='true'")
    assert kinds(detect(RADIOS, after, "hover('11')")) == [EVENT]


def test_a_short_typed_text_does_not_explain_other_numbers() -> None:
    before = "RootWebArea 'x'\n\t[1] textbox 'Quantity'\n\tStaticText '$10'"
    after = "RootWebArea 'x'\n\t[1] textbox 'Quantity' value='1'\n\tStaticText '$11'"
    assert kinds(detect(before, after, "fill('1', '1')")) == [EVENT]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("StaticText '10:41:07'", "StaticText '10:41:09'"),
        ("StaticText 'updated 3 minutes ago'", "StaticText 'updated 4 minutes ago'"),
        ("StaticText '1,204 people viewing'", "StaticText '1,198 people viewing'"),
        ("[5] button 'Go', describedby='tooltip1'", "[5] button 'Go', describedby='tooltip2'"),
        ("[5] link 'Go', visible", "[5] link 'Go'"),
        ("[5] progressbar 'Loading', value='3'", "[5] progressbar 'Loading', value='4'"),
        ("image 'Loading'", "StaticText ''"),
        ("[5] row 'A'", "[6] row 'A'"),
    ],
)
def test_volatile_text_is_no_signal(before: str, after: str) -> None:
    assert not detect(f"RootWebArea 'x'\n\t{before}", f"RootWebArea 'x'\n\t{after}", "scroll(0, 100)")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("StaticText '$10.00'", "StaticText '$12.00'"),
        ("StaticText '3 items in the cart'", "StaticText '4 items in the cart'"),
        ("StaticText 'Room 12'", "StaticText 'Room 14'"),
        ("[5] button 'Go', disabled=True", "[5] button 'Go'"),
        ("[5] row 'A'", "StaticText ''"),
    ],
)
def test_text_that_matters_is_no_volatile_text(before: str, after: str) -> None:
    signals = detect(f"RootWebArea 'x'\n\t{before}", f"RootWebArea 'x'\n\t{after}", "scroll(0, 100)")
    assert kinds(signals) == [EVENT]


def test_the_postcondition_is_checked_after_each_action_that_has_one() -> None:
    half = FORM.replace("'Code'", "'Code' value='123'")
    assert MISSED in kinds(detect(FORM, half, "fill('141', '123456')"))
    assert MISSED not in kinds(detect(FORM, half, "fill('141', '123')"))
    menu = "RootWebArea 'x'\n\t[5] combobox 'Quantity' value='1'"
    assert MISSED in kinds(detect(menu, menu, "select_option('5', '3')"))
    assert MISSED not in kinds(detect(menu, menu.replace("'1'", "'Three'"), "select_option('5', '3')"))
    box = "RootWebArea 'x'\n\t[5] checkbox 'Terms', checked='false'"
    assert MISSED in kinds(detect(box, box, "check('5')"))
    assert not detect(box, box.replace("false", "true"), "check('5')")


def test_conditions_can_be_switched_off() -> None:
    before, after = AxTree.parse(FORM), AxTree.parse(FORM + "\n\t[300] dialog 'Cookies'")
    only = ALL_KINDS - {NEW}
    assert not detect_signals(Snapshot(before), Snapshot(after), "noop()", kinds=only)
    assert detect_signals(Snapshot(before), Snapshot(after), "noop()")


def test_what_is_gone_is_named_in_the_previous_tree() -> None:
    signals = detect(FORM, FORM.replace("\n\t[201] button 'Back'", ""), "noop()")
    assert kinds(signals) == [EVENT]
    assert signals.fired[0].gone.pairs == ((4, 4),)


def test_a_drop_down_drawn_as_a_tooltip_is_news_and_a_hint_is_not() -> None:
    before = "RootWebArea 'Pages'\n\t[1] button 'Show filters'"
    menu = f"{before}\n\t[2] tooltip ''\n\t\t[3] button 'Status'\n\t\t[4] button 'Owner'"
    hint = f"{before}\n\t[2] tooltip 'Shows the filters'\n\t\tStaticText 'Shows the filters'"
    fired = [
        detect_signals(Snapshot(AxTree.parse(before)), Snapshot(AxTree.parse(after)), "click('1')").fired
        for after in (menu, hint)
    ]
    assert [number for number in (3, 4) if any(number in signal.lines for signal in fired[0])] == [3, 4]
    assert not any(signal.kind == SignalKind.NEW_ELEMENT for signal in fired[1])
