from __future__ import annotations

import math

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focusagent.results import paired_difference, success_rate, upper_bound
from focusagent.results.statistics import clustered_error

outcomes = st.lists(st.tuples(st.sampled_from([0.0, 1.0]), st.integers(0, 5)), min_size=1, max_size=60)


def test_without_clusters_it_is_the_usual_standard_error() -> None:
    values = [1.0, 0, 0, 1, 1, 0, 1, 1]
    assert clustered_error(values, range(8)) == pytest.approx(pd.Series(values).sem())


def test_copies_of_an_episode_tell_nothing_new() -> None:
    values, clusters = [1.0, 0, 0, 1], [0, 1, 2, 3]
    assert clustered_error(values * 10, clusters * 10) == pytest.approx(clustered_error(values, clusters))


@settings(deadline=None)
@given(outcomes)
def test_the_interval_holds_the_mean_and_stays_within_0_and_1(pairs: list[tuple[float, int]]) -> None:
    rate = success_rate([value for value, _ in pairs], [cluster for _, cluster in pairs])
    assert rate.count == sum(value for value, _ in pairs)
    if not math.isnan(rate.low):
        assert 0 <= rate.low <= rate.mean <= rate.high <= 1


def test_zero_events_have_an_exact_bound() -> None:
    assert upper_bound(0, 114) == pytest.approx(0.0259, abs=1e-4)
    assert upper_bound(0, 1) == pytest.approx(0.95)
    assert upper_bound(1, 114) == pytest.approx(0.0410, abs=1e-4)
    assert upper_bound(0, 0) == upper_bound(5, 5) == 1
    assert success_rate([0.0] * 114, range(114)).high == upper_bound(0, 114)


def test_one_template_has_no_error_bar() -> None:
    rate = success_rate([1.0, 0.0], ["a", "a"])
    assert math.isnan(rate.standard_error)
    assert math.isnan(rate.high)


def _episodes(rows: list[tuple[str, str, int, float]]) -> pd.DataFrame:
    frame = pd.DataFrame(rows, columns=["agent", "task", "seed", "success"])
    return frame.assign(template=frame["task"], attacks="")


def test_pairs_are_matched_by_task_and_seed() -> None:
    ours = [("focus", f"t{i}", 0, 1.0) for i in range(10)]
    theirs = [("generic", f"t{i}", 0, float(i < 4)) for i in range(10)] + [("generic", "t0", 7, 0.0)]
    difference = paired_difference(_episodes(ours + theirs), "focus", "generic")
    assert difference.mean == pytest.approx(0.6)
    assert difference.n == 10
    assert not difference.noise


def test_a_small_difference_is_noise() -> None:
    rows = [("a", f"t{i}", 0, float(i % 2)) for i in range(20)] + [
        ("b", f"t{i}", 0, float(i % 2 and i > 1)) for i in range(20)
    ]
    assert paired_difference(_episodes(rows), "a", "b").noise


@pytest.mark.parametrize("agent", ["none", "a"])
def test_nothing_to_pair_is_noise(agent: str) -> None:
    difference = paired_difference(_episodes([("a", "t", 0, 1.0), ("b", "u", 0, 1.0)]), agent, "b")
    assert (difference.n, difference.noise) == (0, True)
    assert math.isnan(difference.mean)
