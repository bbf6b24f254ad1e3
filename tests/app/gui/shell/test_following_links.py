"""Copying links and following them: from the command line, from the palette, to data, step, runs and rule."""

from __future__ import annotations

import shutil
from urllib.parse import quote

from PySide6.QtGui import QGuiApplication

from stepscope.app.gui.workbench import StartupRequest, Workbench
from stepscope.core.domain.link import parse_link
from stepscope.core.plain_text import safe

LAMP = ("lamp", 0)


def follow(person, text: str) -> None:
    person.bench.links.follow(text)
    person.settle()


def told(person, words: str) -> bool:
    return any(words in text for text in person.told)


def test_a_copied_link_says_where_runs_and_rule(person, guesses) -> None:
    run = person.score(guesses)
    person.choose("workspace.replay")
    person.bench.viewer.open_step("chair", 1)
    person.arrive("chair", 1)
    person.press("Ctrl+Shift+C")
    link = parse_link(QGuiApplication.clipboard().text())
    assert (link.source, link.episode, link.step, link.rule) == ("shop", "chair", 1, person.selection.rule.id)
    assert (link.runs, link.ids) == (("A",), (run,))
    person.press("2")  # run A off
    person.press("Ctrl+Shift+C")
    assert parse_link(QGuiApplication.clipboard().text()).runs == ()


def test_it_opens_there_with_its_run_and_its_rule(person, guesses) -> None:
    run = person.score(guesses)
    person.selection.set_runs(())
    follow(person, f"stepscope://shop/chair/1?runs=A&rule=radius14&ids={run}")
    person.arrive("chair", 1)
    assert tuple(person.selection.runs) == (run,) and person.selection.rule.id == "radius14"
    assert "A" in person.layers() and person.window.workspace == "replay"


def test_letters_alone_mean_the_runs_on_this_data(person, guesses) -> None:
    first = person.score(guesses)
    second = person.evaluate()
    person.selection.set_runs(())
    follow(person, "stepscope://shop/lamp/3?runs=B")
    person.arrive("lamp", 3)
    assert tuple(person.selection.runs) == (first, second), "the oldest is A"
    assert "B" in person.layers() and "A" not in person.layers()
    follow(person, "stepscope://shop/lamp/2?runs=A,C")
    assert told(person, "No run has the letter C here")
    assert "A" in person.layers() and "B" not in person.layers()


def test_a_link_without_runs_leaves_them_alone(person, guesses) -> None:
    run = person.score(guesses)
    follow(person, "stepscope://shop/lamp/1")
    assert tuple(person.selection.runs) == (run,) and person.place == ("lamp", 1)


CANNOT = {
    "stepscope://elsewhere/lamp/0": "No data called elsewhere is known here. Open its folder, then the link again.",
    "stepscope://shop/lamb/0": "shop has no episode 'lamb': it may be another version of the data. Nearest: lamp",
    "stepscope://shop/lamp/40": "lamp has no step 41; its first one is shown.",
    "stepscope://shop/chair/0?rule=gone": "The link's rule gone is not known here",
    "stepscope://shop/chair/0?runs=A&ids=abcdef012345": "Run abcdef of the link is not in this store. Import its",
    "stepscope://shop": "This is no link to a step. A link reads stepscope://SOURCE/EPISODE/STEP",
}


def test_what_cannot_be_followed_says_what_to_do(person) -> None:
    for text, words in CANNOT.items():
        person.window.messages.clear_messages()
        follow(person, text)
        assert told(person, words), person.told
    assert person.alive()


def test_data_that_is_known_but_not_open_is_opened(person, shop, tmp_path) -> None:
    other = shutil.copytree(shop, tmp_path / "other shop")
    person.open(other)
    person.choose("source.close")
    person.settle()
    assert person.selection.source.title == "shop"
    follow(person, "stepscope://other%20shop/tour/7")
    person.arrive("tour", 7)
    assert person.selection.source.title == "other shop"


def test_a_link_pasted_into_the_palette_is_offered_and_followed(person) -> None:
    palette = person.bench.help.palette
    person.press("Ctrl+K")
    person.write("stepscope://shop/to")
    row = palette.model.row(0)
    assert not row.enabled and row.why == "A link reads stepscope://SOURCE/EPISODE/STEP"
    person.press("Return")
    assert person.place == LAMP
    person.write("ur/5")
    row = palette.model.row(0)
    assert (palette.model.rowCount(), row.title, row.detail) == (1, "Open link", "step 6 of tour in shop")
    person.press("Return")
    person.arrive("tour", 5)


def test_open_link_takes_the_one_in_the_clipboard(person) -> None:
    QGuiApplication.clipboard().setText(" stepscope://shop/chair/2\n")
    person.choose("open.link")
    person.press("Return")
    person.arrive("chair", 2)
    QGuiApplication.clipboard().setText("something else")
    person.choose("open.link")
    assert person.bench.help.palette.line.text() == "stepscope://"
    person.press("Esc")


def test_the_program_started_with_a_link_opens_there(person, open_window, monkeypatch) -> None:
    person.close()
    begin = Workbench.begin
    beginning = StartupRequest(link="stepscope://shop/chair/1?rule=aitz")
    monkeypatch.setattr(Workbench, "begin", lambda bench, _usual: begin(bench, beginning))
    other = open_window()
    other.arrive("chair", 1)
    assert other.selection.rule.id == "aitz"


def test_a_link_opens_only_data_that_this_store_knows(person, shop, tmp_path) -> None:
    never = shutil.copytree(shop, tmp_path / "never opened")
    before = [source.source.path for source in person.bench.context.sources]
    for name in (
        "never opened",
        str(never),
        never.as_uri(),
        f"../{never.name}",
        f"{shop}/../{never.name}",
        "/",
        "..",
        "~",
    ):
        person.window.messages.clear_messages()
        follow(person, f"stepscope://{quote(name, safe='')}/tour/7")
        assert told(person, "is known here. Open its folder, then the link again."), name
        follow(person, f"stepscope://{quote(name + ' (procedures)', safe='')}/tour/7")
        assert [source.source.path for source in person.bench.context.sources] == before
    assert person.place == LAMP


def test_names_of_a_link_cannot_write_messages_of_their_own(person, lure) -> None:
    words = f"shop.\n\nAll is well \x1b[2J\u202e {lure.html} {'x' * 3000}"
    name = quote(words, safe="")
    for text in (f"{name}/lamp/0", f"shop/{name}/0", f"shop/lamp/0?rule={name}"):
        person.window.messages.clear_messages()
        follow(person, f"stepscope://{text}")
        (message,) = person.told
        assert len(message) < 250 and safe(message) == message
        person.window.grab()
    row = person.bench.links.row(f"stepscope://{name}/lamp/0")
    assert row.enabled and len(row.detail) < 150 and safe(row.detail) == row.detail
