"""What the Web task workspace says of the people who fill pages in."""

from __future__ import annotations

from stepscope.app.gui.features.webtask.presenter import people_progress, people_view
from stepscope.app.services.webtask.annotations import PersonProgress
from stepscope.core.domain.webtask import FieldType
from stepscope.core.webtask.agreement import FieldAgreement, TaskAgreement, WorkerComparison
from stepscope.widgets.webtask.people_values import (
    PageDeliveryOptions,
    PeopleView,
    PersonRow,
)
from stepscope.widgets.webtask.side_values import PeopleProgress

EVERYBODY = [
    PersonProgress("Rate", "ann", 3, 1, 60.0, 10),
    PersonProgress("Rate", "bob", 0, 2, 0.0, 10),
    PersonProgress("Rate", "zoe", 1, 0, 5.0, 10),
    PersonProgress("Other", "ann", 7, 0, 1.0, 7),
]


def test_the_line_below_the_tasks_counts_who_submitted() -> None:
    assert people_progress("ann", "Rate", EVERYBODY, 10) == PeopleProgress(3, 10, 2)
    assert people_progress("bob", "Rate", EVERYBODY, 10) == PeopleProgress(0, 10, 2)
    assert people_progress("ann", "Nothing", EVERYBODY, 10) is None


def test_rows_are_those_of_the_store() -> None:
    field = FieldAgreement("good", FieldType.RADIO, "kappa", 0.5, 0.75, 0.4, 4, 1, 6)
    found = TaskAgreement("Rate", ("ann", "zoe"), 4, (field,), (WorkerComparison("ann", None, 0, 0),))
    view = people_view(PageDeliveryOptions("ann"), ["ann", "zoe"], EVERYBODY[:1], found)
    assert view == PeopleView(
        PageDeliveryOptions("ann"), ("ann", "zoe"), (PersonRow("Rate", "ann", 3, 1, 10, 60.0),), found,
    )  # fmt: skip
    assert people_view(PageDeliveryOptions(), [], EVERYBODY, None).agreement is None
