"""Names of runs in little room: what differs stays to be seen."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QFont, QFontMetrics

from stepscope.widgets.common.run_name import cut_run_name


@pytest.fixture(scope="module")
def metrics(qapp) -> QFontMetrics:
    return QFontMetrics(QFont())


def test_the_end_is_kept_and_the_beginning_cut(metrics) -> None:
    seeds = [f"random · aitw · seed {seed}" for seed in (1, 2)]
    room = metrics.horizontalAdvance("random… · seed 1")
    cut = [cut_run_name(metrics, name, room) for name in seeds]
    assert all(metrics.horizontalAdvance(name) <= room for name in cut)
    assert [name.rpartition("…")[2] for name in cut] == [" · seed 1", " · seed 2"]
    assert all(name.startswith("rand") for name in cut)


def test_what_fits_is_left_alone(metrics) -> None:
    assert cut_run_name(metrics, "random · aitw", metrics.horizontalAdvance("random · aitw")) == "random · aitw"


def test_a_name_of_one_s_own_keeps_both_ends(metrics) -> None:
    cut = cut_run_name(metrics, "The baseline with a long name, second", metrics.horizontalAdvance("The base…second"))
    assert cut.startswith("The") and cut.endswith("nd") and "…" in cut


PART = st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=1, max_size=9)


@given(parts=st.lists(PART, min_size=1, max_size=4), width=st.integers(0, 400))
def test_it_is_never_wider_than_its_room(metrics, parts: list[str], width: int) -> None:
    cut = cut_run_name(metrics, " · ".join(parts), width)
    assert len(cut) <= 1 or metrics.horizontalAdvance(cut) <= width
