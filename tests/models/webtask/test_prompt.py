"""What is sent, word for word."""

from __future__ import annotations

import dataclasses

from stepscope.core.domain.geometry import Size
from stepscope.core.domain.webtask import FieldType
from stepscope.core.webtask.program import parse_program
from stepscope.models.webtask.demonstrated_pages import Demonstrations
from stepscope.models.webtask.prompt import PagePicture, Question, messages, offered_actions, system
from tests.models.webtask.talk import SHOWN

PAGE = Question("Rate the tea", "<input name=why>", (("good", FieldType.RADIO), ("why", FieldType.TEXTAREA)))

SYSTEM = """\
You fill in web pages that were made for crowd workers. A page says what is to be done, shows what it is about, and \
has fields for the answers. You answer with calls of these functions, each on a line of its own, and with nothing else:

self.actions.modify_text(field, text): writes the text into a text field, in place of what is there
self.actions.modify_checkbox(field, values): ticks the boxes with these values, a list, and no other box of the field
self.actions.modify_radio(field, value): chooses the radio button with this value
self.actions.modify_select(field, value): chooses the item of a drop-down list with this value
self.actions.modify_range(field, value): puts a slider at this number
self.actions.wait_till_loaded(field): waits until the field is there
self.actions.scroll_to(field): brings the field to the middle of the screen

A field is named by its name in the HTML. Texts stand in quotes; values are those of the HTML's value attributes."""

USER = """\
Rate the tea

```html
<input name=why>
```

Fill in these fields: good (radio), why (textarea)"""

DEMONSTRATED = """\
Describe the scarf

```html
{html}
```

Fill in these fields: colour (text), warm (radio)"""


def test_a_question_without_demonstrations() -> None:
    assert messages([], PAGE, None, vision=False) == [
        {"role": "system", "content": SYSTEM},
        {"role": "user", "content": USER},
    ]


def test_demonstrations_are_questions_that_were_answered() -> None:
    """Of "Red" and nothing the oracle takes the text; both workers chose "yes"."""
    (demo,) = Demonstrations("full", "page").solved([SHOWN], FieldType.RADIO)
    _, user, assistant, last = messages([demo], PAGE, None, vision=False)
    assert user == {"role": "user", "content": DEMONSTRATED.format(html=demo.question.html)}
    assert "<h1>red</h1>" in demo.question.html and "<script" not in demo.question.html
    assert assistant == {
        "role": "assistant",
        "content": 'self.actions.modify_text("colour", "Red")\nself.actions.modify_radio("warm", "yes")',
    }
    assert last["content"] == USER


def test_a_field_is_demonstrated_by_one_of_its_type() -> None:
    shown = Demonstrations("relevant", "field")
    (radio,), (area,) = (shown.solved([SHOWN], kind) for kind in (FieldType.RADIO, FieldType.TEXTAREA))
    assert radio.program == 'self.actions.modify_radio("warm", "yes")'
    assert radio.question.text.endswith("Fill in this field and no other: warm (radio)")
    assert area.program == 'self.actions.modify_text("colour", "Red")'


def test_a_page_on_which_nothing_is_to_be_done_demonstrates_nothing() -> None:
    empty = dataclasses.replace(SHOWN, answers=({},))
    for html, ask in (("full", "page"), ("relevant", "field")):
        assert Demonstrations(html, ask).solved([empty], FieldType.TEXT) == []  # type: ignore[arg-type]


def test_a_picture_comes_behind_its_question() -> None:
    shot = PagePicture("data:image/jpeg;base64,AAAA", Size(1024, 640), "the whole page")
    first, user = messages([], PAGE, shot, vision=True)
    assert user["content"] == [
        {"type": "text", "text": f"{USER}\nThe picture shows the whole page, 1024 × 640 pixels."},
        {"type": "image_url", "image_url": {"url": shot.url}},
    ]
    told = first["content"].splitlines()[9:13]
    assert [line.partition(":")[0] for line in told] == [
        "self.actions.click(x, y)",
        "self.actions.type(text)",
        "self.actions.scroll(x, y)",
        "self.actions.maximize()",
    ]


def test_what_is_told_of_the_library_is_what_it_takes() -> None:
    """Each signature, its arguments by name, is read as the action that it tells of."""
    examples = {"field": '"f"', "text": '"t"', "values": '["a"]', "x": "1", "y": "2"}
    for line, kind in zip(system(True).splitlines()[2:], offered_actions(True), strict=False):
        signature = line.partition(":")[0]
        name, _, takes = signature.removesuffix(")").partition("(")
        values = {
            one: examples.get(one, "3" if kind.name == "modify_range" else '"v"') for one in takes.split(", ") if one
        }
        call = f"{name}({', '.join(f'{one}={value}' for one, value in values.items())})"
        (found,) = parse_program(call).calls
        assert type(found[0]) is kind, call
