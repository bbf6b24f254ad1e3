"""The guide beside the window, and the documentation that it shows."""

from __future__ import annotations

import re

import pytest

from stepscope.app.gui.shell.help_controller import CHAPTERS, DOCS, DOCUMENTS, FOLDERS
from stepscope.widgets.shell.guide import GuideView, sections_of

FILES = [DOCS / name for name in DOCUMENTS] + [path for one in FOLDERS for path in sorted((DOCS / one).glob("*.md"))]


def test_every_chapter_and_every_link_of_the_documentation_is_there() -> None:
    slugs = {path: {one.slug for one in sections_of(path.name, path.read_text("utf-8"))} for path in FILES}
    assert set(CHAPTERS.values()) <= slugs[DOCS / "guide.md"]
    broken = []
    for path in FILES:
        for link in re.findall(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)", path.read_text("utf-8")):
            name, _, heading = link.partition("#")
            if ":" in name:
                continue
            there = (path.parent / name).resolve() if name else path
            if not there.exists() or (heading and there in slugs and heading not in slugs[there]):
                broken.append(f"{path.name}: {link}")
    assert broken == []


@pytest.mark.parametrize(("workspace", "heading"), [("replay", "The first five minutes"), ("results", "Results")])
def test_f1_opens_the_guide_where_the_person_is_and_the_window_goes_on(person, workspace, heading) -> None:
    person.choose(f"workspace.{workspace}")
    person.settle()
    person.press("F1", person.window)
    person.until(lambda: person.bench.help.guide is not None, "the guide")
    guide = person.bench.help.guide
    view = guide.findChild(GuideView)
    assert view.page.file == "guide.md" and not guide.isModal()
    assert heading in view.page.document().toPlainText()
    if workspace == "results":
        assert view.page.textCursor().block().text() == heading
    guide.close()
    person.settle()
    assert person.bench.help.guide is None
