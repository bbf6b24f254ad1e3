"""What a person does to a page becomes calls of the action library, which can be undone."""

from __future__ import annotations

from stepscope.app.services.webtask.person import PersonLog, calls_for
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.domain.webtask import FieldType, WebField
from stepscope.core.webtask.actions import GetHtml, ModifyCheckbox, ModifyRadio, ModifyRange, ModifyText
from stepscope.core.webtask.page import ExecutedCall, PageField, PageLook

PAGE = Size(800, 600)
TYPES = {"words": FieldType.TEXTAREA, "yes": FieldType.RADIO, "why": FieldType.CHECKBOX, "sure": FieldType.RANGE}


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def look(**values: str) -> PageLook:
    fields = tuple(PageField(name, TYPES[name], value) for name, value in values.items())
    return PageLook(fields, PAGE, PAGE, Point(0, 0, PAGE))


def begun(**values: str) -> tuple[PersonLog, Clock]:
    clock = Clock()
    log = PersonLog(clock)
    log.begin(look(**values))
    return log, clock


def test_what_is_typed_in_a_row_is_one_call() -> None:
    log, clock = begun(words="", yes="")
    for letters in ("t", "te", "tea"):
        clock.now += 1
        assert log.changed(look(words=letters, yes=""))
    log.changed(look(words="tea", yes="no"))
    log.changed(look(words="tea!", yes="no"))

    assert [one.action for one in log.calls] == [
        ModifyText("words", "tea"), ModifyRadio("yes", "no"), ModifyText("words", "tea!"),
    ]  # fmt: skip
    assert [one.at for one in log.calls] == [3.0, 3.0, 3.0]


def test_a_page_that_merely_scrolls_is_not_changed() -> None:
    log, _ = begun(words="as it came")

    assert not log.changed(look(words="as it came"))
    assert log.calls == []


def test_undone_calls_come_back_until_something_else_is_done() -> None:
    log, _ = begun(words="", yes="")
    log.changed(look(words="a", yes=""))
    log.changed(look(words="a", yes="no"))

    assert [one.action for one in log.undo()] == [ModifyText("words", "a")]
    log.brought(look(words="a", yes=""))
    assert log.can_redo
    assert [one.action for one in log.redo()] == [ModifyText("words", "a"), ModifyRadio("yes", "no")]
    log.undo()
    log.brought(look(words="a", yes=""))
    log.changed(look(words="a", yes="yes"))
    assert not log.can_redo
    assert [one.action for one in log.calls][-1] == ModifyRadio("yes", "yes")


def test_bringing_the_page_somewhere_is_nobodys_change() -> None:
    log, _ = begun(words="", yes="")
    log.changed(look(words="a", yes="no"))
    log.undo()
    log.brought(look(words="a", yes=""))

    assert not log.changed(look(words="a", yes=""))


def test_calls_of_the_panel_stand_in_the_log_too_but_not_those_that_only_look() -> None:
    log, _ = begun(words="")
    log.did(ExecutedCall(GetHtml(), 1.0, 0.1, said="2 KB"), look(words=""))
    assert not log.can_undo
    log.did(ExecutedCall(ModifyText("words", "b"), 2.0, 0.1), look(words="b"))

    assert not log.changed(look(words="b"))
    assert [one.action for one in log.calls] == [ModifyText("words", "b")]


def test_a_call_of_the_panel_stands_once_though_the_page_told_of_it_first() -> None:
    log, _ = begun(sure="50")
    log.changed(look(sure="85"))
    log.did(ExecutedCall(ModifyRange("sure", 83), 2.0, 0.1), look(sure="85"))

    assert [one.action for one in log.calls] == [ModifyRange("sure", 83)]


def test_time_of_earlier_visits_counts() -> None:
    clock = Clock()
    log = PersonLog(clock)
    log.begin(look(words="a"), (ExecutedCall(ModifyText("words", "a"), 4.0, 0.0),), 30.0)
    clock.now += 5

    assert log.seconds == 35.0
    assert log.can_undo


def test_a_page_is_filled_in_with_values_in_the_order_of_its_fields() -> None:
    fields = [WebField(name, kind) for name, kind in TYPES.items()]
    calls = calls_for(fields, {"why": "p|q", "words": "tea", "yes": "", "sure": "high"})

    assert [one.action for one in calls] == [ModifyText("words", "tea"), ModifyCheckbox("why", ("p", "q"))]
    assert [one.action for one in calls_for(fields, {"sure": "2.5"})] == [ModifyRange("sure", 2.5)]
