"""What a model's card says is written into Markdown as it is."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from stepscope.app.services.model_pages import plain_markdown

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
