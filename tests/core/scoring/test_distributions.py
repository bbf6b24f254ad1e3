"""Tails of the binomial and of Student's t: by whole numbers, by printed tables, and against scipy."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.lazy import lazy_module
from stepscope.core.scoring.distributions import fair_coins, students_t

special = lazy_module("scipy.special")


@st.composite
def coins(draw: st.DrawFn, most: int) -> tuple[int, int]:
    number = draw(st.integers(0, most))
    return draw(st.integers(0, number // 2)), number


@given(coins(most=400))
def test_few_coins_are_counted(given: tuple[int, int]) -> None:
    heads, number = given
    exact = Fraction(sum(math.comb(number, one) for one in range(heads + 1)), 2**number)
    assert fair_coins(heads, number) == pytest.approx(float(exact), rel=1e-13)


@pytest.mark.parametrize(("heads", "number"), [(990, 2_001), (1_200, 2_600), (3, 2_100), (2_450, 5_000)])
def test_many_coins_are_those_of_whole_numbers(heads: int, number: int) -> None:
    exact = Fraction(sum(math.comb(number, one) for one in range(heads + 1)), 2**number)
    assert fair_coins(heads, number) == pytest.approx(float(exact), rel=1e-10)


@pytest.mark.parametrize(
    ("freedom", "printed"),
    [(1, 12.706), (2, 4.303), (5, 2.571), (10, 2.228), (30, 2.042), (120, 1.980), (10**6, 1.960)],
)
def test_students_t_is_that_of_printed_tables(freedom: int, printed: float) -> None:
    """NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2; the last line is the normal distribution's."""
    assert round(students_t(0.975, freedom), 3) == printed


@pytest.mark.needs("scipy.stats")
@given(coins(most=1_000_000))
def test_coins_are_those_of_scipy(given: tuple[int, int]) -> None:
    heads, number = given
    assert fair_coins(heads, number) == pytest.approx(special.bdtr(heads, number, 0.5), rel=1e-8, abs=1e-300)


@pytest.mark.needs("scipy.stats")
@given(st.integers(1, 1_000_000), st.floats(0.51, 0.9999))
def test_students_t_is_that_of_scipy(freedom: int, chance: float) -> None:
    assert students_t(chance, freedom) == pytest.approx(special.stdtrit(freedom, chance), rel=1e-8)
