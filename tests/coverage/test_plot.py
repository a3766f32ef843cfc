from focusagent.coverage.plot import COLOURS, MARKERS


def test_no_two_families_look_the_same() -> None:
    looks = {(MARKERS[index % len(MARKERS)], COLOURS[index % len(COLOURS)]) for index in range(100)}
    assert len(looks) == 100
