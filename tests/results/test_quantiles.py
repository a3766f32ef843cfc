import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t

from focusagent.results.quantiles import t_cdf, t_quantile


@given(st.floats(0.5, 0.9999), st.integers(1, 2_000))
def test_quantiles_are_scipys(probability: float, degrees: int) -> None:
    assert t_quantile(probability, degrees) == pytest.approx(t.ppf(probability, degrees), rel=1e-6, abs=1e-9)


@given(st.floats(-50, 50), st.integers(1, 500))
def test_probabilities_are_scipys(x: float, degrees: int) -> None:
    # Near 0 with one degree, where the value is 1/2 + atan(x) / pi, it is scipy that is off by some 1e-11.
    assert t_cdf(x, degrees) == pytest.approx(t.cdf(x, degrees), abs=1e-9)


@pytest.mark.parametrize(("probability", "degrees"), [(0.4, 3), (1.0, 3), (0.9, 0)])
def test_what_has_no_quantile_is_refused(probability: float, degrees: int) -> None:
    with pytest.raises(ValueError, match="no quantile"):
        t_quantile(probability, degrees)
