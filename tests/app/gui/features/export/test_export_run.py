"""File ▸ Export of a run: what the results show, pictures and bundles with a row in the chip, places that refuse."""

from __future__ import annotations

import csv
import threading
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import pytest
from lxml import html

import stepscope.core.evaluation.export
import stepscope.core.store.queries
from stepscope.app.services.export.run_pictures import RunScreens
from stepscope.core.domain.annotation import Annotation, AnnotationKind
from stepscope.core.evaluation.bundle import read_bundle
from stepscope.core.store.columns import load_columns
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import annotations
from stepscope.widgets.results.items_filter import ItemsFilter
from tests.patience import PATIENCE

WRONG = [("lamp", "3"), ("chair", "0"), ("chair", "1")]


@pytest.fixture
def scored(person, guesses) -> str:
    """The results of `guesses` under aitw are shown; the run's id."""
    return person.score(guesses)


def table(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def export(person, pick, command: str, path: Path, said: str) -> None:
    """Choose the command and wait for what is told."""
    pick(path)
    person.choose(command)
    person.until(lambda: any(words.startswith(said) for words in person.told), f"“{said}”; told: {person.told}")
    person.settle()


def test_the_table_has_the_items_that_are_shown(person, scored, pick, tmp_path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    export(person, pick, "export.csv", out / "run.csv", "Wrote run.csv, 6 rows")
    person.window.results.items_filter_changed.emit(ItemsFilter.WRONG)
    export(person, pick, "export.csv", out / "wrong.csv", "Wrote wrong.csv, 3 rows")
    rows = table(out / "wrong.csv")
    assert [(row["episode"], row["step"]) for row in rows] == WRONG
    assert {(row["filter"], row["goal"]) for row in rows} == {("wrong", "Buy a lamp"), ("wrong", "Order a chair")}
    assert sorted(path.name for path in out.iterdir()) == ["run.csv", "wrong.csv"]


def test_where_defects_are_left_out_they_are_not_in_the_table(person, scored, pick, tmp_path) -> None:
    source = person.bench.results.current.spec.source
    made = datetime(2026, 1, 2, tzinfo=UTC)
    with person.bench.context.database.unit_of_work() as db:
        annotations.put(db, Annotation(source, "lamp", 3, AnnotationKind.DEFECT, "wrong reference", "me", made))
    person.bench.results.set_without_defects(True)
    person.settle()
    export(person, pick, "export.csv", tmp_path / "run.csv", "Wrote run.csv, 5 rows")
    rows = table(tmp_path / "run.csv")
    assert ("lamp", "3") not in {(row["episode"], row["step"]) for row in rows}
    assert {row["filter"] for row in rows} == {"all; without defects"}

    folder = tmp_path / "pictures"
    folder.mkdir()
    export(person, pick, "export.pictures", folder, "Wrote 5 pictures into pictures")
    assert not (folder / "lamp-3.png").exists()


def test_another_run_is_exported_with_all_its_items(person, scored, pick, tmp_path) -> None:
    person.window.results.items_filter_changed.emit(ItemsFilter.WRONG)
    person.evaluate()
    export(person, pick, "export.csv", tmp_path / "run.csv", "Wrote run.csv, 29 rows")
    person.bench.results.choose(scored)
    person.settle()
    export(person, pick, "export.csv", tmp_path / "first.csv", "Wrote first.csv, 6 rows")


def test_whoever_shows_other_items_says_which(person, scored, pick, tmp_path) -> None:
    exporting = person.bench.export
    chosen = exporting.chosen()
    rows = load_columns(person.bench.context.database, scored).row.tolist()
    exporting.chosen = lambda: replace(chosen, rows=(rows[4], rows[1]), words="reference: tap")
    export(person, pick, "export.csv", tmp_path / "some.csv", "Wrote some.csv, 2 rows")
    found = [(row["episode"], row["step"], row["filter"]) for row in table(tmp_path / "some.csv")]
    assert found == [("chair", "0", "reference: tap"), ("lamp", "1", "reference: tap")]


def test_report_table_predictions_and_bundle(person, scored, pick, tmp_path) -> None:
    export(person, pick, "export.html", tmp_path / "run.html", "Wrote run.html")
    page = html.document_fromstring((tmp_path / "run.html").read_text("utf-8"))
    assert "elsewhere under aitw" in page.text_content()
    assert len(page.xpath("//article")) == 3 == len(page.xpath("//img"))
    export(person, pick, "export.latex", tmp_path / "run.tex", "Wrote run.tex")
    assert r"Step accuracy & $0.500$" in (tmp_path / "run.tex").read_text("utf-8")
    export(person, pick, "export.rules", tmp_path / "rules.md", "Wrote rules.md")
    assert r"(own) | step\_accuracy | 0.500 |" in (tmp_path / "rules.md").read_text("utf-8")
    export(person, pick, "export.predictions", tmp_path / "run.jsonl", "Wrote run.jsonl, 6 predictions")
    export(person, pick, "export.bundle", tmp_path / "run.bundle", "Wrote run.bundle")
    with Database.open("sqlite://") as other:
        (*_, last) = read_bundle(other, tmp_path / "run.bundle")
        assert (last.result, last.run_id) == ("imported", scored)
    assert not list(tmp_path.glob("*.part")) and not person.window.task_chip.isVisible()


# Pictures ------------------------------------------------------------------------------------------------------------


class Gate:
    """Items are drawn one by one, as they are let."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.permits = threading.Semaphore(0)
        self.begun = 0
        draw = RunScreens.step

        def step(screens, *arguments):
            self.begun += 1
            assert self.permits.acquire(timeout=PATIENCE)
            return draw(screens, *arguments)

        monkeypatch.setattr(RunScreens, "step", step)


def test_pictures_of_the_items_that_are_shown(person, scored, pick, tmp_path) -> None:
    person.window.results.items_filter_changed.emit(ItemsFilter.WRONG)
    folder = tmp_path / "pictures"
    folder.mkdir()
    export(person, pick, "export.pictures", folder, "Wrote 3 pictures into pictures")
    assert sorted(path.name for path in folder.iterdir()) == ["chair-0.png", "chair-1.png", "lamp-3.png"]


def test_drawing_shows_how_far_it_is_and_a_cancel_keeps_what_is_there(
    person, scored, pick, tmp_path, monkeypatch
) -> None:
    gate, folder, chip = Gate(monkeypatch), tmp_path / "pictures", person.window.task_chip
    folder.mkdir()
    pick(folder)
    person.choose("export.pictures")
    gate.permits.release()
    person.until(lambda: chip.words().startswith("Drawing into pictures 1 of 6"), "one of six in the chip")
    person.until(lambda: gate.begun == 2, "the second one begun")
    person.click(chip.cancel)
    gate.permits.release(9)
    person.until(lambda: not chip.isVisible(), "the end of the work")
    person.settle()
    assert gate.begun == 2
    assert sorted(path.name for path in folder.iterdir()) == ["lamp-0.png", "lamp-1.png"], (
        "the second one was under way"
    )


@pytest.mark.parametrize("kind", ["html", "csv", "predictions"])
def test_a_file_shows_how_far_it_is_and_a_cancel_leaves_what_was_there(
    person, scored, pick, tmp_path, monkeypatch, kind
) -> None:
    """A report waits at its second picture, the others at their second batch of items."""
    gate, chip, path = threading.Semaphore(0), person.window.task_chip, tmp_path / f"run.{kind}"
    path.write_text("as before")
    if kind == "html":
        drawing, places = RunScreens.step_drawing, count()

        def waiting(*given, **named):
            draw, place = drawing(*given, **named), next(places)
            return lambda: (place == 0 or gate.acquire(timeout=PATIENCE)) and draw()

        monkeypatch.setattr(RunScreens, "step_drawing", waiting)
    else:
        monkeypatch.setattr(stepscope.core.evaluation.export, "_AT_ONCE", 1)
        each = stepscope.core.store.queries.each_item

        def slowly(*given):
            for place, outcome in enumerate(each(*given)):
                assert place == 0 or gate.acquire(timeout=PATIENCE)
                yield outcome

        monkeypatch.setattr(stepscope.core.store.queries, "each_item", slowly)
    pick(path)
    person.choose(f"export.{kind}")
    total = 3 if kind == "html" else 6
    person.until(lambda: chip.words().startswith(f"Writing {path.name} 1 of {total}"), "one in the chip")
    person.click(chip.cancel)
    gate.release(9)
    person.until(lambda: not chip.isVisible(), "the end of the work")
    person.settle()
    assert path.read_text() == "as before" and [one.name for one in tmp_path.glob("run*")] == [path.name]


def test_items_that_cannot_be_drawn_are_told(open_window, own_shop, guesses, pick, tmp_path) -> None:
    person = open_window(own_shop)
    person.score(guesses)
    for picture in (own_shop / "2").rglob("*.png"):
        picture.unlink()
    folder = tmp_path / "pictures"
    folder.mkdir()
    export(
        person,
        pick,
        "export.pictures",
        folder,
        "Wrote 4 pictures into pictures. 2 items could not be drawn; chair, step 1: ",
    )


# Places that refuse --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["csv", "bundle", "pictures"])
def test_a_place_that_cannot_be_written_is_told_once(person, scored, pick, tmp_path, command) -> None:
    (tmp_path / "file").write_text("x")
    before = len(person.told)
    pick(tmp_path / "file" / "run.out")
    person.choose(f"export.{command}")
    person.until(lambda: len(person.told) > before, "the failure")
    person.settle()
    said = person.told[0]
    assert "cannot be" in said and "Choose another place." in said and len(person.told) == before + 1
    assert person.alive() and not person.window.task_chip.isVisible()
