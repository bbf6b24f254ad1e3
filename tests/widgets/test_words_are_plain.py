"""No place in the window shows words in a way that takes some of them for marks.

Tooltips and labels are plain by the application's style sheet (`widgets/common/plain_words.py`). What the style sheet
does not reach is found here in the source: Qt's and pyqtgraph's ways to show HTML, and buttons and menus, where "&"
underlines a letter. Each exception stands in a list with its reason.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

pytestmark = pytest.mark.xdist_group("sources of the window")  # one worker parses them, once

ROOT = Path(__file__).resolve().parents[2]
MARKED = "widgets/common/marked.py"
"""The one module that may mark up words."""

MARKING = {
    "AutoText", "LabelItem", "MarkdownText", "QErrorMessage", "QGraphicsTextItem", "QStaticText", "QTextBrowser",
    "QTextDocument", "QWhatsThis", "RichText", "TextItem", "addLegend", "appendHtml", "insertHtml", "linkActivated",
    "mightBeRichText", "setDefaultStyleSheet", "setHtml", "setMarkdown", "setOpenExternalLinks",
    "setWhatsThis",
}  # fmt: skip
"""Names of Qt and pyqtgraph by which words become marks."""

MARKING_REVIEWED = {
    (
        "widgets/models/view.py",
        "setMarkdown",
    ): "a MarkedPage; the presenter of models writes every word of a model plain",
    ("widgets/shell/protocols/view.py", "setHtml"): "a MarkedPage; its words are this program's own and escaped",
    ("widgets/shell/guide/document_page.py", "QTextBrowser"): "it shows this program's own documents only",
    ("widgets/shell/guide/document_page.py", "QTextDocument"): "the same",
}

PYQTGRAPH = {"setLabel", "setTitle", "setLabels"}
"""They take HTML; what they are given is escaped."""

LETTERS = {
    "QAction": 0, "QCheckBox": 0, "QCommandLinkButton": 0, "QGroupBox": 0, "QMenu": 0, "QPushButton": 0,
    "QRadioButton": 0, "addAction": 0, "addMenu": 0, "addButton": 0, "addTab": -1, "insertTab": -1, "setTabText": 1,
}  # fmt: skip
"""Calls that take "&" for the letter after it, and which of their arguments are the words."""

LETTERS_REVIEWED = {
    ("app/gui/shell/commands/bar.py", "row.text"): "our own words, whose letters are meant",
    ("app/gui/shell/commands/bar.py", "title"): "our own words, whose letters are meant",
    ("app/gui/shell/commands/bar.py", "self._menus[path]"): "a menu",
    ("app/gui/shell/commands/bar.py", "self.actions[row.id]"): "an action",
    ("app/gui/shell/confirm.py", "yes"): "our own verbs",
    ("app/gui/shell/confirm.py", "no"): "our own verbs",
    ("app/gui/features/library/listing_controller.py", "part.words"): "names of the rows' parts are our own",
    (
        "app/gui/features/library/scope_controller.py",
        "f'{plain_label(names[source.key])}\\t{many}'",
    ): "a count behind it",
    ("app/gui/features/library/scope_controller.py", "f'All {len(sources)} as one list\\t{total}'"): "our own words",
    ("app/gui/features/library/scope_controller.py", "f'{title}\\t{many}'"): "our own words, TASK_TITLES",
    ("app/gui/features/library/scope_controller.py", "self._commands.actions[command]"): "an action",
    ("widgets/campaigns/view.py", "words"): "our own words, EXPORTS",
    ("widgets/common/buttons.py", "words"): "text_button is for our own verbs",
    ("widgets/hierarchy/overlap_menu.py", "f'{plain_label(shown)}\\t{size}'"): "the size stands where shortcuts do",
    ("widgets/live/devices.py", "words"): "our own words in the same function",
    ("widgets/live/label.py", "name"): "our own words, REASONS",
    ("widgets/annotate/defect_menu.py", "f'&{number}  {reason[:1].upper()}{reason[1:]}'"): "our own words; & is meant",
    ("widgets/results/leaderboard_view.py", "words"): "our own words, EXPORTS; & is meant",
    ("widgets/results/orders_page.py", "words"): "our own words, EXPORTS",
    ("widgets/results/rule_bar.py", "words"): "names of pages, our own",
    ("widgets/results/runs_view.py", "words"): "our own words in the same function",
    ("widgets/scores/shares.py", "choice.value"): "names of orders, our own",
    ("widgets/results/web_scores.py", "choice.value"): "names of orders, our own",
    ("widgets/webtask/fields_panel.py", "words"): "our own words in the same function",
    ("widgets/webtask/tasks_panel.py", "words"): "our own words, ORDERS",
}
TIPS = {"setToolTip": -1, "showText": 1, "setTabToolTip": 1}
"""Calls that show a tooltip, and which of their arguments are its words."""

NO_WORDS = {
    "action",
    "button",
    "chip",
    "sign",
    "segment",
    "self",
    "parent",
    "window",
    "dialog_parent",
    "above",
    "copy",
    "export",
    "view",
}
"""Names of actions, buttons and widgets that are handed over whole."""


@cache
def modules() -> tuple[tuple[str, tuple[ast.AST, ...]], ...]:
    """What stands in every module of the window in which a word occurs that is looked for here, by its path."""
    words = re.compile("|".join({"QTextEdit", *MARKING, *PYQTGRAPH, *LETTERS, *TIPS}))
    paths = [path for folder in ("widgets", "app/gui") for path in sorted((ROOT / folder).rglob("*.py"))]
    texts = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in paths}
    return tuple(
        (name, tuple(ast.walk(ast.parse(text))))
        for name, text in texts.items()
        if name != MARKED and words.search(text)
    )


def name_of(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def is_plain(words: ast.expr) -> bool:
    """Whether words of data cannot be in it, or not as they came."""
    if isinstance(words, ast.Constant):
        return True
    if isinstance(words, ast.JoinedStr):
        return all(is_plain(part.value if isinstance(part, ast.FormattedValue) else part) for part in words.values)
    if isinstance(words, ast.BinOp):
        return isinstance(words.op, ast.Mult | ast.Div) or (is_plain(words.left) and is_plain(words.right))
    if isinstance(words, ast.IfExp):
        return is_plain(words.body) and is_plain(words.orelse)
    return isinstance(words, ast.Call) and name_of(words.func) in ("plain_label", "icon", "escape")


def is_a_thing(words: ast.expr) -> bool:
    """A widget, an action or an icon, not words."""
    return name_of(words).lstrip("_") in NO_WORDS or isinstance(words, ast.Call)


def test_nothing_is_marked_up_but_by_the_module_for_it() -> None:
    found = {
        (name, name_of(node))
        for name, module in modules()
        for node in module
        if name_of(node) in MARKING and not isinstance(getattr(node, "ctx", None), ast.Store)
    }
    assert found - set(MARKING_REVIEWED) == set(), "show them as plain text, or use stepscope.widgets.common.marked"
    assert set(MARKING_REVIEWED) - found == set(), "no longer needed on the list"


def test_text_editors_take_no_html() -> None:
    """QTextEdit guesses as labels do, and takes HTML from the clipboard; QPlainTextEdit does neither."""
    made = [
        f"{name}:{node.lineno}"
        for name, module in modules()
        for node in module
        if (isinstance(node, ast.Call) and name_of(node.func) == "QTextEdit")
        or (isinstance(node, ast.ClassDef) and any(name_of(base) == "QTextEdit" for base in node.bases))
    ]
    assert made == []


def test_words_on_axes_are_escaped() -> None:
    bare = [
        f"{name}:{node.lineno}"
        for name, module in modules()
        if "pyqtgraph" in {alias.name for one in module if isinstance(one, ast.Import) for alias in one.names}
        for node in module
        if isinstance(node, ast.Call)
        and name_of(node.func) in PYQTGRAPH
        and not (node.args and is_plain(node.args[0]))
        and not name_of(getattr(node.func, "value", ast.Name("", ast.Load()))).startswith("super")
    ]
    assert bare == []


def test_words_of_data_underline_no_letter() -> None:
    found = {
        (name, ast.unparse(words))
        for name, module in modules()
        for node in module
        if isinstance(node, ast.Call) and (place := LETTERS.get(name_of(node.func))) is not None
        for words in node.args[place:][:1]
        if not is_plain(words) and not is_a_thing(words)
    }
    assert found - set(LETTERS_REVIEWED) == set(), "put plain_label around words that may come from data"
    assert set(LETTERS_REVIEWED) - found == set(), "no longer needed on the list"


def test_buttons_that_paint_their_words_have_no_shortcuts_from_them() -> None:
    bare = [
        (name, node.name)
        for name, module in modules()
        for node in module
        if isinstance(node, ast.ClassDef) and any(name_of(base) == "QAbstractButton" for base in node.bases)
    ]
    assert bare == [("widgets/common/buttons.py", "PaintedButton")]


def is_own(words: ast.expr) -> bool:
    """Whether a tooltip holds our own words alone, or went through `tip_words`."""
    if isinstance(words, ast.IfExp):
        return is_own(words.body) and is_own(words.orelse)
    if isinstance(words, ast.JoinedStr):
        return all(is_own(part.value if isinstance(part, ast.FormattedValue) else part) for part in words.values)
    if isinstance(words, ast.Subscript):
        return is_own(words.value)
    if isinstance(words, ast.Call):
        return name_of(words.func) == "tip_words"
    return isinstance(words, ast.Constant) or name_of(words).isupper()


def test_every_tooltip_is_cut_and_turns_nothing_around() -> None:
    found = []
    for name, module in modules():
        for node in module:
            words: list[ast.expr] = []
            if isinstance(node, ast.Call) and (place := TIPS.get(name_of(node.func))) is not None:
                words = node.args[place:][:1]
            elif isinstance(node, ast.Call) and name_of(node.func) == "setItemData" and "ToolTip" in ast.unparse(node):
                words = node.args[1:2]
            elif (
                isinstance(node, ast.If)
                and "ToolTipRole" in ast.unparse(node.test)
                and " not in " not in ast.unparse(node.test)
            ):
                words = [one.value for one in node.body if isinstance(one, ast.Return) and one.value is not None]
            found += [f"{name}:{one.lineno}" for one in words if not is_own(one)]
    assert found == [], "give it to stepscope.widgets.common.plain_words.tip_words"


def test_words_that_are_cut_to_their_room_turn_nothing_around() -> None:
    """What the window paints itself may be of any length, and so is cut; what is cut is made straight."""
    found = [
        f"{name}:{node.lineno}"
        for name, module in modules()
        for node in module
        if isinstance(node, ast.Call)
        and name_of(node.func) == "elidedText"
        and not (isinstance(node.args[0], ast.Call) and name_of(node.args[0].func) == "straight")
        and name != "widgets/common/elided.py"  # its words are straight when they are set
    ]
    assert found == [], "give it to stepscope.widgets.common.plain_words.straight"
