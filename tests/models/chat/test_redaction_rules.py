"""A person's rules of what is never sent: what they hide, in pictures and in words, and that answers are kept apart."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from stepscope.core.domain.action import Action, Select, Tap, Target, Type
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Observation, Picture, Platform
from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.errors import UsageError, UserError
from stepscope.core.evaluation.predictor import EpisodeRequest, StepRequest
from stepscope.core.imaging.draw import encode_png
from stepscope.models.agents.asked import asked_server, info_of_model, load_model
from stepscope.models.agents.question import question, sent_picture
from stepscope.models.agents.settings import asking_settings
from stepscope.models.chat import redaction_rules
from stepscope.models.chat.pictures import marked_screen, place_on_screen
from stepscope.models.chat.redaction import GREY, redacted_elements, without_secret_words, without_secrets
from stepscope.models.chat.redaction_rules import LIST, Redaction, RedactionRule, add, mark, redaction_of
from stepscope.models.chat.trajectory import USUAL, trajectory
from tests.models.chat.faults import Stage

SIZE = Size(90, 160)
MAIL = UIElement(
    0, Box(10, 20, 50, 40, SIZE), text="anna@x.org", content_description="Your mail", editable=True,
    resource_id="com.x:id/email_field", class_name="android.widget.EditText", package="com.x",
)  # fmt: skip
ROW = UIElement(1, Box(0, 50, 90, 90, SIZE), resource_id="com.x:id/row", class_name="android.view.View", clickable=True)
INNER = UIElement(2, Box(10, 60, 80, 80, SIZE), parent=1, depth=1, text="Dr Smith, 9 am")
NAME = UIElement(3, Box(10, 100, 50, 120, SIZE), text="Name", editable=True, resource_id="name", package="com.x")
SEEN = Observation(SIZE, None, UITree((MAIL, ROW, INNER, NAME), TreeOrigin.VIEW_HIERARCHY, SIZE))


def hidden(rule: RedactionRule, app: str = "") -> set[int]:
    return set(redacted_elements(SEEN, Redaction((rule,), app)))


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"id": "com.x:id/EMAIL_field"}, {0}),
        ({"id": "email_field"}, {0}),
        ({"id": "email"}, set()),
        ({"id_has": "Email"}, {0}),
        ({"kind": "edittext"}, {0}),
        ({"kind": "android.widget.EditText"}, {0}),
        ({"text": "ANNA@x.org"}, {0}),
        ({"text": "your mail"}, {0}),
        ({"text": "anna"}, set()),
        ({"text_has": "smith"}, {2}),
        ({"id": "row"}, {1, 2}),  # with all that lies in it
        ({"id_has": "e", "text_has": "name"}, {3}),
    ],
)
def test_a_rule_hides_what_all_of_it_holds_for(asked: dict[str, str], found: set[int]) -> None:
    assert hidden(RedactionRule("r", **asked)) == found


def test_an_app_counts_as_met_where_nothing_tells_it() -> None:
    of_x, of_y = RedactionRule("r", text_has="a", app="com.X"), RedactionRule("r", text_has="a", app="com.y")
    assert hidden(of_x) == {0, 2, 3} and hidden(of_y) == {2}, "the row in the middle has no package"
    assert hidden(of_y, "com.z") == set() and hidden(of_y, "com.y") == {0, 2, 3}
    shown = Observation(SIZE, None, SEEN.tree, activity="com.z/.Main")
    assert redacted_elements(shown, Redaction((of_y,))) == frozenset()


def test_what_a_rule_hides_is_in_no_words() -> None:
    add(RedactionRule("mail", id_has="email"))
    add(RedactionRule("rows", id="row"))
    typed = Type("anna@x.org", Point(20, 30, SIZE), Target(MAIL.box, "anna@x.org", MAIL.resource_id))
    touched = Tap(Point(20, 70, SIZE), Target(INNER.box, "Dr Smith, 9 am"))
    chosen = Select("Dr Smith, 9 am", Point(20, 70, SIZE))
    plain = Type("Bob", Point(20, 110, SIZE), Target(NAME.box, "Name", NAME.resource_id))
    actions: tuple[Action | None, ...] = (typed, touched, chosen, plain, None)
    for platform in (Platform.ANDROID, Platform.WEB):
        told = trajectory(EpisodeRequest("e", None, platform, (SEEN,) * 5, actions), USUAL.blind)
        assert told is not None
        words = str(told.parts).lower()
        assert "bob" in words and "name" in words
        assert not [one for one in ("anna", "smith", "your mail") if one in words]
    for past in ((), (SEEN,) * 4):
        request = StepRequest(
            "e", 4, "Log in", Platform.ANDROID, SEEN, history=(typed, touched, chosen, plain), past=past
        )
        words = str(question(request, asking_settings("m", "m", {})[0], pictures=False).messages).lower()
        assert "bob" in words and "name" in words and "anna" not in words
        assert ("smith" in words) is not past, "without the screen only the action's own record tells"


def test_what_a_hidden_element_says_is_left_out_where_others_repeat_it() -> None:
    """A row's description has the words of its label; two letters are too few to be known again."""
    row = UIElement(0, Box(0, 0, 90, 40, SIZE), content_description="Wake UP alarm  7:45", clickable=True)
    label = UIElement(1, Box(0, 0, 90, 20, SIZE), 0, 1, text="Wake up", resource_id="label")
    short = UIElement(2, Box(0, 20, 90, 40, SIZE), 0, 1, text="AM", resource_id="label")
    other = UIElement(3, Box(0, 50, 90, 90, SIZE), text="Am Ende", clickable=True)
    tree = UITree((row, label, short, other), TreeOrigin.DUMP, SIZE, "com.x/.Main")
    redaction = Redaction((RedactionRule("r", id="label"),))
    seen = without_secret_words(Observation(SIZE, None, tree), redaction)
    assert seen.tree is not None and seen.tree.activity == tree.activity
    assert [one.text + one.content_description for one in seen.tree] == ["", "", "", "Am Ende"]
    touched = Tap(Point(45, 5, SIZE), Target(row.box, "Wake up alarm 7:45"))
    shown = without_secrets(touched, Observation(SIZE, None, tree), redaction)
    assert shown == Tap(Point(45, 5, SIZE), Target(row.box, ""))


def test_what_was_typed_where_nothing_tells_is_left_out_while_a_rule_may_mean_it() -> None:
    add(RedactionRule("mail", id_has="email", app="com.x"))
    bare = Type("anna@x.org", None)
    for app, told in (("com.x", False), ("", False), ("com.y", True)):
        request = StepRequest("e", 1, "Log in", Platform.ANDROID, SEEN, app=app, history=(bare,))
        words = str(question(request, asking_settings("m", "m", {})[0], pictures=False).messages)
        assert ("anna" in words) is told


def test_what_a_rule_hides_is_painted_over_in_all_pictures(tmp_path: Path) -> None:
    file = tmp_path / "screen.png"
    file.write_bytes(encode_png(np.full((320, 180, 3), 255, np.uint8)))  # twice the recorded size
    seen = Observation(SIZE, Picture(file, Size(180, 320)), SEEN.tree)
    bare = sent_picture(seen, SIZE)
    add(RedactionRule("mail", id_has="email", app="com.x"))
    shown = marked_screen(seen, None, Platform.ANDROID)
    assert shown is not None
    assert (shown[40:80, 20:100] == GREY).all() and (shown[100:, :] == 255).all() and (shown[:40] == 255).all()
    assert sent_picture(seen, SIZE) != bare
    redaction_rules.remove("mail")
    assert sent_picture(seen, SIZE) == bare
    assert place_on_screen(seen, None, Platform.ANDROID, (0.5, 0.25)) == Point(90, 80, Size(180, 320))
    # Of a page three times as high as wide the first part is kept, as high as wide.
    page = Observation(SIZE, Picture(file, Size(100, 300)), SEEN.tree)
    assert place_on_screen(page, None, Platform.WEB, (0.5, 0.5)) == Point(50, 50, Size(100, 300))


@pytest.mark.needs("openai")
def test_answers_under_rules_are_kept_apart_and_those_without_are_as_before(stage: Stage) -> None:
    asked = asked_server(stage.server(), "m")
    before = info_of_model(asked).version
    predictor = load_model(asked, key="")
    plain = predictor.fingerprint
    assert mark() == "" and "redacted" not in before + plain
    add(RedactionRule("one", id="a"))
    first = mark()
    assert info_of_model(asked).version == before + first == predictor.info.version
    assert predictor.fingerprint == plain + first, "it stays loaded while rules come and go"
    add(RedactionRule("two", id="b"))
    both = mark()
    assert len(both) == len(", redacted ") + 12 and both != first
    LIST.save([RedactionRule("other", id="b"), RedactionRule("names", id="a")])
    assert mark() == both, "neither names nor order are part of what is sent"


@pytest.mark.parametrize("text", ["", "{}", '{"format": 1, "redactions": [{"name": "a", "colour": "b"}]}'])
def test_while_the_rules_cannot_be_read_nothing_is_asked(text: str) -> None:
    LIST.file.parent.mkdir(parents=True)
    LIST.file.write_text(text)
    with pytest.raises(UserError):
        redaction_of()
    with pytest.raises(UserError):
        trajectory(EpisodeRequest("e", None, Platform.ANDROID, (SEEN,), (None,)))
    assert mark() == ", redactions that cannot be read"


@pytest.mark.parametrize("asked", [{}, {"id": " "}, {"text": "a" * 201}])
def test_a_rule_says_something(asked: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        RedactionRule("r", **asked)
    with pytest.raises(UsageError):
        RedactionRule(" ", id="a")


def test_a_rule_is_told_in_words() -> None:
    rule = RedactionRule("mail", id_has=" e  mail ", app="com.x")
    assert rule.words == "id contains “e mail”, app com.x"
