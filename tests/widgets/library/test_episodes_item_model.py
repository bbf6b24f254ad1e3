from __future__ import annotations

from PySide6.QtCore import QPersistentModelIndex
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from stepscope.widgets.common.paged_item_model import CACHED_PAGES, PAGE_ROWS, WAITING_PAGES, RowRole
from stepscope.widgets.library import EpisodeListRow, EpisodesItemModel


def rows(offset: int, limit: int, word: str = "goal") -> list[EpisodeListRow]:
    return [EpisodeListRow(place, f"e{place}", f"{word} {place}") for place in range(offset, offset + limit)]


def answering(model: EpisodesItemModel) -> list[int]:
    asked: list[int] = []

    def answer(offset: int, limit: int) -> None:
        asked.append(offset)
        model.set_page(offset, rows(offset, limit))

    model.page_wanted.connect(answer)
    return asked


def test_keeps_qts_rules_with_several_thousand_rows(qtbot: QtBot) -> None:
    model = EpisodesItemModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    asked = answering(model)
    model.set_total(3000)
    model.index(0, 0).data(RowRole)
    qtbot.waitUntil(lambda: bool(asked))
    model.mark_stale(2500)
    model.mark_stale(3500)
    model.set_total(0)
    assert tester.model() is model


def test_a_row_is_read_when_it_is_asked_for(qtbot: QtBot) -> None:
    model = EpisodesItemModel()
    asked = answering(model)
    model.set_total(700_000)
    assert model.index(699_999, 0).data(RowRole) is None
    qtbot.waitUntil(lambda: model.peek(699_999) is not None)
    assert asked == [699_999 // PAGE_ROWS * PAGE_ROWS]
    assert model.index(699_999, 0).data() == "goal 699999"


def test_fast_scrolling_reads_only_the_last_pages_and_keeps_few(qtbot: QtBot) -> None:
    model = EpisodesItemModel()
    asked = answering(model)
    model.set_total(PAGE_ROWS * 100)
    for page in range(100):
        model.value(page * PAGE_ROWS)
    qtbot.waitUntil(lambda: bool(asked))
    assert asked == [page * PAGE_ROWS for page in range(100 - WAITING_PAGES, 100)]
    for page in range(100):
        model.set_page(page * PAGE_ROWS, rows(page * PAGE_ROWS, PAGE_ROWS))
    assert sum(model.peek(page * PAGE_ROWS) is not None for page in range(100)) == CACHED_PAGES


def test_stale_rows_stay_until_new_ones_come(qtbot: QtBot) -> None:
    model = EpisodesItemModel()
    model.set_total(300)
    model.set_page(0, rows(0, PAGE_ROWS))
    kept = QPersistentModelIndex(model.index(5, 0))
    model.mark_stale()
    assert kept.isValid() and model.index(5, 0).data() == "goal 5"
    with qtbot.waitSignal(model.page_wanted) as wanted:
        model.value(5)
    assert wanted.args == [0, PAGE_ROWS]
    model.set_page(0, rows(0, PAGE_ROWS, "new"))
    assert model.index(5, 0).data() == "new 5"


def test_an_answer_to_an_older_list_is_dropped(qtbot: QtBot) -> None:
    model = EpisodesItemModel()
    model.set_total(300)
    old = model.generation
    model.set_total(200)
    assert not model.set_page(0, rows(0, PAGE_ROWS), old)
    assert model.peek(0) is None
    assert model.set_page(0, rows(0, PAGE_ROWS), model.generation)
