"""What a model's card says is written into Markdown as it is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stepscope.app.services.model_pages import card_in_words, plain_markdown, renewed
from stepscope.models.learned.card import read_card
from stepscope.models.learned.model_folders import shipped_folder
from stepscope.models.learned.real_sets import RealResult, RuleOnSet

LINE = st.text(st.characters(min_codepoint=33, max_codepoint=126) | st.sampled_from(" éß漢"), max_size=40)


@given(words=LINE)
@example(words="![x](file:///etc/passwd)")
@example(words='<img src="file:///etc/passwd">')
@example(words="1. one")
@example(words="- | a_b_ __c__ ~~d~~ $e$")
@example(words="http://host/ www.host.org me@host.org")
def test_qt_shows_exactly_these_words(qapp: object, words: str) -> None:
    from PySide6.QtGui import QFont, QTextDocument

    shown, font = QTextDocument(), QFont()
    font.setPointSize(10)
    shown.setDefaultFont(font)
    shown.setMarkdown(
        f"a {plain_markdown(words)}\n\n{plain_markdown(words)}\n\n| h |\n| --- |\n| {plain_markdown(words)} |\n"
    )
    line = " ".join(words.split())
    said = [part for part in shown.toPlainText().split("\n") if part]
    assert said == [f"a {line}".strip(), *([line] if line else []), "h", *([line] if line else [])]
    assert "href" not in shown.toHtml() and "<img" not in shown.toHtml() and "<h" not in shown.toHtml().split("body")[1]


DOCS = Path(__file__).resolve().parents[3] / "docs" / "models"


@pytest.mark.parametrize("folder", sorted(shipped_folder().iterdir()), ids=lambda folder: folder.name)
def test_the_pages_say_what_the_cards_say(folder: Path) -> None:
    page = (DOCS / f"{folder.name}.md").read_text("utf-8")
    assert renewed(page, read_card(folder), folder) == page


def test_real_sets_stand_below_the_generated_one_beside_the_rules() -> None:
    folder = shipped_folder() / "two-tower"
    rules = {
        "text-match": RuleOnSet(0.625, -0.25, (-0.375, -0.125), 0.001),
        "random": RuleOnSet(0.125, 0.25, (0.125, 0.375), 0.001),
    }
    one = RealResult(
        *("Mine | yours", "motif", "test", 80, 40, "ab", "aitw", "step_accuracy", 0.375, (0.25, 0.5), 90, 7), rules
    )
    words = card_in_words(replace(read_card(folder), real=(one,)), folder)
    assert "**Below text-match on Mine \\| yours: 0.375 against 0.625.**" in words
    head, _, generated, real = words.split("one episode has none):\n\n")[1].splitlines()[:4]
    assert head == "|  | n | `two-tower` | `text-match` | `random` | less the best rule |"
    assert generated.startswith("| generated, app_unseen | 2573 | 0.876 (0.861 – 0.889) | 0.771 | 0.077 | 0.104 (")
    assert real == (
        "| Mine \\| yours, test, 40 of 90 episodes, seed 7 | 80 | 0.375 (0.250 – 0.500) | 0.625 | 0.125 "
        "| -0.250 (-0.375 – -0.125) |"
    )
    assert "On real data: not measured." in card_in_words(replace(read_card(folder), real=()), folder)
