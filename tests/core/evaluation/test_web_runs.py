"""Names of models that fill in pages, and which runs stand side by side."""

from datetime import UTC, datetime, timedelta

import pytest

from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import Run, RunSpec, RunState
from stepscope.core.evaluation.web_runs import PageModelSettings, bounds, counterpart, page_model, relatives, same_pages

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)


def run(name, model, *, days=0, task=Task.WEBTASK, **spec):
    about = RunSpec(task, model, spec.pop("source", "pages"), "turkingbench", "fields", **spec)
    return Run(name, about, RunState.DONE, BEGAN + timedelta(days=days))


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("page:lab/gpt?demos=3&html=relevant&vision=1", PageModelSettings("page:lab/gpt", 3, "relevant", True)),
        ("page:lab/gpt", PageModelSettings("page:lab/gpt", 0, "full", False)),
        (
            "page:lab/a%20b?context=8000&demos=7",
            PageModelSettings("page:lab/a%20b", 7, "full", False, (("context", "8000"),)),
        ),
        ("mine?vision=true", PageModelSettings("mine", 0, "full", True)),
        ("page:lab/gpt?demos=many", None),
        ("do-nothing", None),
        ("what?", None),
    ],
)
def test_names_taken_apart(name, found):
    assert page_model(name) == found


def test_what_a_line_of_the_plot_is_called():
    assert page_model("page:lab/gpt?demos=3").words == "full page, text only"
    assert page_model("page:lab/gpt?html=relevant&vision=1&ask=field").words == (
        "relevant parts, with pictures, ask field"
    )


def test_runs_of_one_model_over_the_same_pages():
    runs = [
        run("a", "page:lab/gpt?demos=7"),
        run("b", "page:lab/gpt"),
        run("c", "page:lab/gpt?demos=3&vision=1"),
        run("other pages", "page:lab/gpt?demos=1", limit=20),
        run("other data", "page:lab/gpt?demos=1", source="elsewhere"),
        run("other model", "page:lab/else?demos=1"),
        run("newer", "page:lab/gpt?demos=7", days=2),
        run("bound", "oracle"),
    ]
    found = [(model.demos, one.id) for model, one in relatives(runs[0], runs)]
    assert found == [(0, "b"), (7, "a"), (7, "newer"), (3, "c")]
    assert relatives(runs[-1], runs) == []


def test_the_bounds_are_the_latest_ones_over_the_same_pages():
    runs = [
        run("old", "do-nothing"),
        run("new", "do-nothing", days=1),
        run("part", "do-nothing", days=2, chosen=3),
        run("top", "oracle"),
    ]
    assert {model: one.id for model, one in bounds(run("x", "page:lab/gpt"), runs).items()} == {
        "do-nothing": "new",
        "oracle": "top",
    }
    assert "oracle" not in bounds(runs[-1], runs), "itself is none of its bounds"


def test_the_same_model_that_sees_pictures():
    own = run("own", "page:lab/gpt?demos=7&html=relevant")
    runs = [
        own,
        run("full", "page:lab/gpt?demos=7&vision=1"),
        run("old", "page:lab/gpt?demos=7&html=relevant&vision=1"),
        run("new", "page:lab/gpt?html=relevant&vision=1&demos=7", days=1),
    ]
    assert counterpart(own, runs).id == "new"
    assert counterpart(runs[-1], runs).id == "own"
    assert counterpart(runs[1], runs) is None and counterpart(run("x", "oracle"), runs) is None


def test_runs_of_other_tasks_have_no_pages():
    one = run("a", "m", task=Task.GOAL)
    assert not same_pages(one.spec, one.spec)
