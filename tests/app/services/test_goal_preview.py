"""What is pointed at in the preview of a question becomes a rule."""

from __future__ import annotations

from pathlib import Path

import pytest

from stepscope.app.services.goal_preview import preview, rule_at, settings_of_prompt
from stepscope.core.domain.action import Tap
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Episode, Observation, Platform, Step
from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.errors import UserError
from stepscope.models.chat import redaction_rules
from stepscope.models.goal.prompts import USUAL

SIZE = Size(100, 200)
ELEMENTS = (
    UIElement(0, Box(0, 0, 100, 200, SIZE), class_name="Frame"),
    UIElement(1, Box(0, 0, 100, 40, SIZE), 0, 1, text="Mail", resource_id="com.x:id/mail", package="com.x"),
    UIElement(2, Box(0, 40, 100, 80, SIZE), 0, 1, text="Dr  Smith"),
    UIElement(3, Box(0, 80, 100, 120, SIZE), 0, 1, text="long " * 60),
)
SEEN = Observation(SIZE, None, UITree(ELEMENTS, TreeOrigin.DUMP, SIZE))
EPISODE = Episode(
    "e", "recording", Platform.ANDROID, "Write", (Step(0, SEEN, Tap(Point(50, 20, SIZE))), Step(1, SEEN)), app="shop"
)
SETTINGS = settings_of_prompt(USUAL)


def test_an_element_is_named_by_its_id_else_by_its_text() -> None:
    by_id = rule_at(EPISODE, SETTINGS, 0, (0.5, 0.1))
    assert (by_id.name, by_id.id, by_id.text, by_id.app) == ("mail", "com.x:id/mail", "", "com.x")
    by_text = rule_at(EPISODE, SETTINGS, 1, (0.5, 0.3))
    assert (by_text.name, by_text.id, by_text.text, by_text.app) == ("Dr Smith", "", "Dr Smith", "shop")
    long = rule_at(EPISODE, SETTINGS, 0, (0.5, 0.5))
    assert long.text == "" and len(long.text_has) == 199 and redaction_rules.Redaction((long,)).hides(ELEMENTS[3], "")
    redaction_rules.add(by_id)
    assert rule_at(EPISODE, SETTINGS, 0, (0.5, 0.1)).name == "mail 2"
    with pytest.raises(UserError, match="neither an id nor words"):
        rule_at(EPISODE, SETTINGS, 0, (0.5, 0.9))
    with pytest.raises(UserError, match="no element here"):
        rule_at(EPISODE, SETTINGS, 0, (0.5, 1.5))


def test_the_preview_tells_whose_pictures_they_are_and_has_what_is_sent(tmp_path: Path) -> None:
    before = preview(EPISODE, SETTINGS)
    assert before.screens == (0, 1)
    redaction_rules.add(rule_at(EPISODE, SETTINGS, 0, (0.5, 0.1)))
    after = preview(EPISODE, SETTINGS)
    words = [str(part) for message in after.messages for part in message.parts if isinstance(part, str)]
    assert "Mail" not in " ".join(words)
    pictures = [[part for m in one.messages for part in m.parts if isinstance(part, bytes)] for one in (before, after)]
    assert len(pictures[0]) == 2 and all(one != other for one, other in zip(*pictures, strict=True))
