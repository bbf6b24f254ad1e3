"""Programs of actions are read, never run: calls with plain values become actions, all else is told."""

from __future__ import annotations

import math
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.webtask.actions import (
    CaptureScreen,
    Click,
    GetHtml,
    Maximize,
    ModifyCheckbox,
    ModifyRadio,
    ModifyRange,
    ModifySelect,
    ModifyText,
    PageAction,
    ScrollBy,
    ScrollTo,
    TypeText,
    WaitTillLoaded,
)
from stepscope.core.webtask.program import as_program, parse_program

TEXT = st.text(max_size=20)
NUMBER = st.floats(allow_nan=False, allow_infinity=False)
ACTION = st.one_of(
    st.builds(ModifyText, TEXT, TEXT),
    st.builds(ModifyCheckbox, TEXT, st.lists(TEXT, max_size=4).map(tuple)),
    st.builds(ModifyRadio, TEXT, TEXT),
    st.builds(ModifySelect, TEXT, TEXT),
    st.builds(ModifyRange, TEXT, NUMBER),
    st.builds(GetHtml, TEXT, st.integers(0, 99)),
    st.builds(CaptureScreen, st.sampled_from(["page", "viewport", "element"]), TEXT),
    st.builds(Click, NUMBER, NUMBER),
    st.builds(TypeText, TEXT),
    st.builds(ScrollBy, NUMBER, NUMBER),
    st.just(Maximize()),
    st.builds(WaitTillLoaded, TEXT, NUMBER),
    st.builds(ScrollTo, TEXT),
)


def actions(text: str, field: str = "", *names: str) -> list[PageAction]:
    parsed = parse_program(text, field=field, names=names)
    assert parsed.problems == ()
    return [action for action, _ in parsed.calls]


def problems(text: str, **how: str) -> list[str]:
    parsed = parse_program(text, **how)
    assert parsed.calls == ()
    return list(parsed.problems)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('self.actions.modify_text("a", "x (y); z")', ModifyText("a", "x (y); z")),
        ("actions.modify_text('a', '''two\nlines''')", ModifyText("a", "two\nlines")),
        ('modify_text("a", "one" " two")', ModifyText("a", "one two")),
        ('modify_text("a", f"plain")', ModifyText("a", "plain")),
        ('modify_text(element="a", value=3)', ModifyText("a", "3")),
        ('modify_text("a", None)', ModifyText("a", "")),
        ('modify_checkbox("a", ["x", "y"])', ModifyCheckbox("a", ("x", "y"))),
        ('modify_checkbox("a", "x|y")', ModifyCheckbox("a", ("x", "y"))),
        ('modify_checkbox("a", "x", "y")', ModifyCheckbox("a", ("x", "y"))),
        ('modify_checkbox("a", {"x": True, "y": False})', ModifyCheckbox("a", ("x",))),
        ('modify_checkbox("a", True)', ModifyCheckbox("a", ("on",))),
        ('modify_checkbox("a", [])', ModifyCheckbox("a", ())),
        ('modify_checkbox(name="a", values=("x",))', ModifyCheckbox("a", ("x",))),
        ('modify_radio(Input(label="a", type="radio"), "1")', ModifyRadio("a", "1")),
        ('modify_radio("a", 1)', ModifyRadio("a", "1")),
        ('modify_select("a", option="b c")', ModifySelect("a", "b c")),
        ('modify_range("a", "-2.5")', ModifyRange("a", -2.5)),
        ("click(10, -20)", Click(10, -20)),
        ("click(y=1, x=2)", Click(2, 1)),
        ('type("hello")', TypeText("hello")),
        ("scroll(0, 300)", ScrollBy(0, 300)),
        ("scroll(300)", ScrollBy(0, 300)),
        ('scroll("up")', ScrollBy(0, -600)),
        ("maximize()", Maximize()),
        ("wait_till_loaded(5)", WaitTillLoaded("", 5)),
        ('wait_till_loaded("a", timeout=2)', WaitTillLoaded("a", 2)),
        ('scroll_to("a")', ScrollTo("a")),
        ("html = self.actions.get_html()", GetHtml()),
        ('get_html("a", lines=2)', GetHtml("a", 2)),
        ('capture_screen("page")', CaptureScreen("page")),
        ('capture_screen("a")', CaptureScreen("element", "a")),
    ],
)
def test_a_call_in_the_ways_that_models_write_it(line: str, expected: PageAction) -> None:
    assert actions(line) == [expected]
    assert actions(f"```python\n{line}\n```") == [expected]


def test_calls_in_words_lists_fences_and_one_after_the_other() -> None:
    text = (
        "Sure (as you asked):\n\n```python\n# first the text\nself.actions.modify_text('a', 'x'); scroll(1, 2)\n"
        "    modify_radio(\n        'b',\n        'y)',\n    )  # done\npass\n```\nmodify_text('a', 'outside')\n"
        "~~~\nmaximize()\n~~~"
    )
    parsed = parse_program(text)
    assert parsed.problems == ()
    assert [(action, raw) for action, raw in parsed.calls] == [
        (ModifyText("a", "x"), "self.actions.modify_text('a', 'x')"),
        (ScrollBy(1, 2), "scroll(1, 2)"),
        (ModifyRadio("b", "y)"), "modify_radio(\n        'b',\n        'y)',\n    )"),
        (Maximize(), "maximize()"),
    ]
    listed = "I will do this (in order):\n1. `modify_text('a', 'x')`\n- maximize()\n* `scroll(1, 2)`\nDone (I hope)."
    assert actions(listed) == [ModifyText("a", "x"), Maximize(), ScrollBy(1, 2)]


def test_a_bare_name_is_the_field_that_is_solved_or_one_of_the_page() -> None:
    assert actions("self.actions.modify_text(input, 'x')", "why") == [ModifyText("why", "x")]
    assert actions("modify_text(self.input, 'x')\nmodify_text(input.name, 'y')", "why") == [
        ModifyText("why", "x"),
        ModifyText("why", "y"),
    ]
    assert actions("modify_text(other, 'x')", "why", "why", "other") == [ModifyText("other", "x")]
    assert actions("modify_text('x')\nmodify_checkbox(['y'])", "why") == [
        ModifyText("why", "x"),
        ModifyCheckbox("why", ("y",)),
    ]
    assert problems("modify_text(input, 'x')") == ["Line 1: input names no field: modify_text(input, 'x')"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("import os", "only calls of actions are taken"),
        ("os.system('rm -r /')", "there is no such action"),
        ("__import__('os').click(1, 2)", "there is no such action"),
        ("a.b.c.click(1, 2)", "there is no such action"),
        ("x['click'](1, 2)", "there is no such action"),
        ("modify_text('a', 'x' + 'y')", "only plain values are taken"),
        ("modify_text('a', f'{x}')", "only plain values are taken"),
        ("modify_text('a', open('/etc/passwd').read())", "only plain values are taken"),
        ("modify_text('a', [c for c in 'ab'])", "only plain values are taken"),
        ("modify_text('a', x)", "x has no quotes"),
        ("modify_text('a')", "modify_text needs its text"),
        ("modify_text('a', 'b', 'c')", "modify_text takes 2 values"),
        ("modify_text('a', text='x', value='y')", "modify_text is told the same twice"),
        ("modify_text('a', colour='x')", "modify_text takes no colour"),
        ("modify_text(**x)", "modify_text takes no spread values"),
        ("modify_text('a', ['x', 'y'])", "one text is taken"),
        ("modify_range('a', 'much')", "a number is taken"),
        ("click(1e999, 0)", "a number is taken"),
        ("click(True, 0)", "a number is taken"),
        ("capture_screen('element', 'a', 'b')", "capture_screen takes 2 values"),
        ("print(get_html())", "there is no such action"),
        ("while True: click(1, 2)", "only calls of actions are taken"),
        ("modify_text('a', 'unclosed)", "this cannot be read"),
    ],
)
def test_what_is_no_call_with_plain_values_is_told(line: str, why: str) -> None:
    assert problems(f"```\n{line}\n```") == [f"Line 2: {why}: {line}"]


def test_a_broken_line_leaves_the_others_and_a_block_is_left_out_whole() -> None:
    text = (
        "```\nmodify_text('a', 'one')\nmodify_text('b, 'two')\nfor x in range(3):\n    click(1, 2)\n\n    click(3, 4)\n"
        "if ready():\n    maximize()\nelse:\n    scroll(1, 1)\nmodify_text('c', 'three')\n```"
    )
    parsed = parse_program(text)
    assert [action for action, _ in parsed.calls] == [ModifyText("a", "one"), ModifyText("c", "three")]
    assert [problem.split(":")[0] for problem in parsed.problems] == ["Line 3", "Line 4", "Line 8", "Line 10"]


def test_words_without_calls_are_no_problem() -> None:
    assert parse_program("The answer is (probably) yes.\nif (and only if) you agree:\n  good").problems == ()
    assert parse_program("") == parse_program("```\n```") == parse_program("\n'text'\n")


@given(ACTION)
def test_an_action_is_written_as_it_is_read(action: PageAction) -> None:
    line = as_program(action)
    parsed = parse_program(f"```\n{line}\n```")
    assert parsed.calls == ((action, line),) and parsed.problems == ()


def test_how_an_action_is_written() -> None:
    assert as_program(ModifyText("a", 'it\'s "é"\n')) == 'self.actions.modify_text("a", "it\'s \\"é\\"\\n")'
    assert as_program(ModifyCheckbox("a", ("x",))) == 'self.actions.modify_checkbox("a", ["x"])'
    assert as_program(Click(10.0, 2.5)) == "self.actions.click(10, 2.5)"
    assert as_program(GetHtml(lines=2)) == "self.actions.get_html(lines=2)"


@given(
    st.one_of(
        st.text(max_size=200),
        st.lists(
            st.sampled_from(
                ["modify_text(", "click(", "'a'", '"', "'", ")", "(", ",", "\n", "    ", "```", "if x:", "1", "-", "[",
                 "]", "{", "}", ":", "\\", "#", ";", "input", "=", "f'", "\0", "\ud800", "é", "\r", "**", "lambda: ",
                 "9" * 5000]
            ),
            max_size=30,
        ).map("".join),
    )
)  # fmt: skip
def test_any_text_is_read_without_an_error(text: str) -> None:
    for action, raw in parse_program(text, field="f").calls:
        assert isinstance(action, PageAction) and raw
        assert not isinstance(action, Click) or math.isfinite(action.x + action.y)


@pytest.mark.parametrize(
    "text", ["(\n" * 40_000, "(" * 100_000, "-" * 100_000, "a:" * 50_000, "[" * 50 + "\n" * 90_000]
)
def test_hostile_texts_take_no_long_time(text: str) -> None:
    began = time.process_time()
    parse_program(f"```\n{text}")
    assert time.process_time() - began < 10
