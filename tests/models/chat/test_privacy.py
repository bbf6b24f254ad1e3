"""Only servers here, what was sent, and what never is."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest

from stepscope.core.domain.action import Tap, Target, Type
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Observation, Picture, Platform
from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.evaluation.predictor import EpisodeRequest, StepRequest
from stepscope.core.imaging.draw import encode_png
from stepscope.core.imaging.overlay import PASSWORD_DOTS
from stepscope.core.progress import CancelToken
from stepscope.models.agents.question import question, sent_picture
from stepscope.models.agents.settings import asking_settings
from stepscope.models.chat import client, privacy
from stepscope.models.chat.pictures import marked_screen
from stepscope.models.chat.redaction import GREY, painted_over
from stepscope.models.chat.redaction_rules import NOTHING
from stepscope.models.chat.servers import ChatServer
from stepscope.models.chat.trajectory import USUAL, trajectory
from tests.models.chat.faults import Act, Stage, Waiting, completion

pytestmark = pytest.mark.needs("openai")

SIZE = Size(90, 160)
BODY = {"model": "m", "messages": [{"role": "user", "content": [
    {"type": "text", "text": "Hé"}, {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
]}]}  # fmt: skip


def test_nothing_reaches_another_machine_while_only_this_one_is_allowed(
    stage: Stage, waiting: Waiting, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The listener is this machine's, called another one for the test: whatever were sent would be heard."""
    there = stage.server()
    assert there.is_here
    privacy.allow_only_here(True)
    assert not isinstance(client.ask(there, [BODY], patience=waiting.patience())[0], client.ServerError)
    assert len(stage.seen) == 1
    monkeypatch.setattr(ChatServer, "is_here", property(lambda _self: False))
    for found in client.ask(there, [BODY, BODY], patience=waiting.patience()):
        assert isinstance(found, client.ServerError) and found.lasting and "another machine" in str(found)
    with pytest.raises(client.ServerError, match="another machine"):
        client.check(there)
    assert len(stage.seen) == 1 and len(privacy.sent_requests()) == 1, "nothing went out"
    privacy.allow_only_here(False)
    assert not isinstance(client.ask(there, [BODY], patience=waiting.patience())[0], client.ServerError)
    assert len(stage.seen) == 2


@pytest.mark.parametrize("text", ["", "{", "[]", '{"only_here": "no"}', '{"only_here": true}'])
def test_a_choice_that_cannot_be_read_forbids(text: str) -> None:
    assert not privacy.only_here()
    privacy.choice_file().parent.mkdir(parents=True)
    privacy.choice_file().write_text(text)
    assert privacy.only_here()


def test_every_request_is_written_down_with_what_became_of_it(stage: Stage, waiting: Waiting) -> None:
    stage.plays(completion("Yes"), Act(status=401))
    for _ in range(2):
        client.ask(stage.server(), [BODY], patience=waiting.patience(), key="a-secret-key")
    later, first = privacy.sent_requests()
    assert (first.outcome, later.outcome) == ("answered", "key refused (401)")
    assert (first.server, first.model, first.letters, first.pictures, first.bytes) == ("lab", "m", 2, 1, 3 + 26)
    assert "a-secret-key" not in privacy.log_file().read_text() and first.time.endswith("+00:00")
    privacy.log_file().write_text("no line\n" + privacy.log_file().read_text())
    assert len(privacy.sent_requests()) == 2 and len(privacy.sent_requests(1)) == 1


def test_what_was_cancelled_on_its_way_is_written_down_too(stage: Stage, waiting: Waiting) -> None:
    stage.plays(Act(how="hang"))
    token = CancelToken()
    threading.Thread(target=lambda: stage.hung.wait(30) and token.cancel()).start()
    with pytest.raises(client.Cancelled):
        client.ask(stage.server(), [BODY], token=token, patience=waiting.patience())
    assert [one.outcome for one in privacy.sent_requests()] == ["cancelled"]


def test_what_stands_in_a_password_field_is_sent_in_no_words() -> None:
    field = UIElement(0, Box(10, 20, 50, 40, SIZE), text="hunter2", editable=True, password=True)
    name = UIElement(1, Box(10, 50, 50, 70, SIZE), text="Name", editable=True)
    seen = Observation(SIZE, None, UITree((field, name), TreeOrigin.VIEW_HIERARCHY, SIZE))
    tap = Tap(Point(20, 30, SIZE))
    for platform in (Platform.ANDROID, Platform.WEB):
        told = trajectory(EpisodeRequest("e", None, platform, (seen, seen), (tap, None)), USUAL.blind)
        assert told is not None and "hunter2" not in str(told.parts) and "name" in str(told.parts)
    asked = question(
        StepRequest("e", 0, "Log in", Platform.ANDROID, seen), asking_settings("m", "m", {})[0], pictures=False
    )
    assert "hunter2" not in str(asked.messages) and "name" in str(asked.messages)


@pytest.mark.parametrize("flagged", [True, False])
def test_what_was_typed_into_what_is_named_a_password_is_told_as_dots(flagged: bool) -> None:
    """To an agent, with and without the screen on which it was typed."""
    field = UIElement(0, Box(10, 20, 50, 40, SIZE), text="Password", editable=True, password=flagged)
    seen = Observation(SIZE, None, UITree((field,), TreeOrigin.VIEW_HIERARCHY, SIZE))
    typed = Type("hunter2", Point(20, 30, SIZE), Target(field.box, "Password"))
    for past in ((), (seen,)):
        request = StepRequest("e", 1, "Log in", Platform.ANDROID, seen, history=(typed,), past=past)
        asked = question(request, asking_settings("m", "m", {})[0], pictures=False)
        assert "hunter2" not in str(asked.messages) and PASSWORD_DOTS in str(asked.messages)


def test_a_full_log_begins_anew_and_a_broken_one_stops_nothing(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(privacy, "LONGEST_LOG", 1)
    for _ in range(3):
        privacy.note(stage.server(), BODY, "answered")
    assert len(privacy.sent_requests()) == 1 and (privacy.log_file().parent / "sent-before.jsonl").is_file()
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setattr(privacy, "log_file", lambda: blocked / "sent.jsonl")
    privacy.note(stage.server(), BODY, "answered")


def screen(folder: Path, *, visible: bool = True) -> Observation:
    file = folder / "screen.png"
    file.write_bytes(encode_png(np.full((320, 180, 3), 255, np.uint8)))  # twice the recorded size
    field = UIElement(0, Box(10, 20, 50, 40, SIZE), editable=True, password=True, visible=visible)
    name = UIElement(1, Box(10, 50, 50, 70, SIZE), text="Name", editable=True)
    return Observation(SIZE, Picture(file, SIZE), UITree((field, name), TreeOrigin.VIEW_HIERARCHY, SIZE))


def test_password_fields_are_painted_over_in_all_that_is_sent(tmp_path: Path) -> None:
    seen = screen(tmp_path)
    shown = marked_screen(seen, Tap(Point(80, 150, SIZE)), Platform.ANDROID)
    assert shown is not None
    assert (shown[40:80, 20:100] == GREY).all() and (shown[100:140, 20:100] == 255).all()
    assert (shown[39, 20:100] == 255).all() and (shown[80, 20:100] == 255).all()
    small = sent_picture(seen, Size(90, 160))
    plain = sent_picture(screen(tmp_path, visible=False), Size(90, 160))
    assert small != plain
    bare = Observation(SIZE, seen.screenshot)
    pixels = np.zeros((4, 4, 3), np.uint8)
    assert painted_over(pixels, bare, NOTHING) is pixels
