"""Models that fill in pages by name, and a run of one against a server that misbehaves."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

import pytest

from stepscope.core.domain.prediction import FieldsAnswer, PredictionStatus, Task
from stepscope.core.errors import UsageError
from stepscope.core.progress import CancelToken
from stepscope.core.webtask.pool import PagePool
from stepscope.core.webtask.predictor import PagePredictor
from stepscope.core.webtask.solving import trace_from_json
from stepscope.models import registry
from stepscope.models.chat import servers
from stepscope.models.chat.chat import ServedChat
from stepscope.models.chat.servers import ChatServer
from stepscope.models.webtask import prompt
from stepscope.models.webtask.page_model import info_of
from stepscope.models.webtask.page_settings import OPTIONS, PageSettings
from stepscope.models.webtask.solver import PageModel
from tests.core.webtask.fake import FakeBrowser
from tests.models.chat.faults import Act, Stage, Waiting, completion
from tests.models.webtask.talk import SHOWN, page, request

pytestmark = pytest.mark.needs("openai")

PROGRAM = "self.actions.modify_radio('good', '1')\nself.actions.modify_text('why', 'warm')"


@pytest.fixture
def lab(stage: Stage) -> ChatServer:
    servers.add(ChatServer("lab", stage.url, "gpt-x"))
    servers.add(ChatServer("blind", stage.url, "words", pictures=False))
    return servers.find("lab")


def answered(text: str, read: int, wrote: int) -> str:
    usage = {"prompt_tokens": read, "completion_tokens": wrote}
    return json.dumps({**json.loads(completion(text)), "usage": usage})


Make = Callable[..., PagePredictor]


@pytest.fixture
def predictor(lab: ChatServer, waiting: Waiting) -> Any:
    made: list[PagePredictor] = []

    def make(name: str = "page:lab/gpt-x", setting: PageSettings | None = None, pages: int = 1) -> PagePredictor:
        chat = ServedChat(lab, "gpt-x", patience=waiting.patience(2))
        pool = PagePool(pages, make=lambda: FakeBrowser(lambda _source: page()))
        made.append(PagePredictor(info_of(name), PageModel(chat, setting or PageSettings()), pool=pool))
        return made[-1]

    yield make
    for one in made:
        one.close()


def test_servers_models_are_listed_for_pages_too(lab: ChatServer) -> None:
    listed = registry.registry().models
    assert {"page:lab/gpt-x", "page:blind/words", "served:lab/gpt-x"} <= set(listed)
    info = listed["page:lab/gpt-x"].info
    assert (info.task, info.runtime, info.batches, info.version) == (Task.WEBTASK, "service", True, prompt.VERSION)
    assert info.settings == OPTIONS and info.demonstrations == 0 and not info.needs_reference


def test_a_name_is_the_same_however_its_settings_are_written(lab: ChatServer) -> None:
    for written in ("page:lab/gpt-x?vision=1&demos=3", "page:lab?demos=3&html=full&vision=1"):
        info = registry.model_info(written)
        assert info.name == "page:lab/gpt-x?demos=3&vision=1" and info.demonstrations == 3
        assert info.title == "gpt-x at lab · 3 demos, full page, with pictures"
        assert registry.load(written).info == info
    assert registry.model_info("page:lab/org/other").title == "org/other at lab · full page"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("page:nowhere/m", "no server 'nowhere'"),
        ("page:lab/gpt-x?demo=3", "no option 'demo'"),
        ("page:lab/gpt-x?demos=many", "demos cannot be 'many'"),
        ("page:blind/words?vision=1", "added for text only"),
        ("page:local/none.gguf", "no such file"),
        ("do-nothing?demos=3", "do-nothing has no option 'demos'"),
        ("nothing?demos=3", "no model 'nothing'"),
    ],
)
def test_names_that_cannot_be(lab: ChatServer, name: str, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        registry.model_info(name)


def test_a_page_is_filled_in_and_its_trace_tells_how(predictor: Make, stage: Stage) -> None:
    stage.plays(answered(PROGRAM, 120, 17))
    found = predictor().predict(request())
    assert found.answer == FieldsAnswer((("good", "1"), ("why", "warm")))
    assert (found.status, found.raw) == (PredictionStatus.OK, PROGRAM)
    trace = trace_from_json(found.trace)
    assert trace.tokens == (120, 17) and trace.left == {"good": "1", "why": "warm"}
    assert [one.action.name for one in trace.log] == ["get_html", "modify_radio", "modify_text"]
    (body,) = stage.bodies
    assert (body["model"], body["temperature"], body["max_tokens"]) == ("gpt-x", 0.0, 4096)


def test_demonstrations_and_pictures_are_sent(predictor: Make, stage: Stage) -> None:
    stage.plays(completion(PROGRAM))
    predictor(setting=PageSettings(demos=1, vision=True)).predict(request(SHOWN))
    roles = [message["role"] for message in stage.bodies[0]["messages"]]
    assert roles == ["system", "user", "assistant", "user"]
    assert stage.bodies[0]["messages"][3]["content"][1]["type"] == "image_url"


def test_what_was_not_done_is_in_the_trace(predictor: Make, stage: Stage) -> None:
    stage.plays(completion(f"modify_text('other', 'x')\n{PROGRAM}"))
    log = trace_from_json(predictor().predict(request()).trace).log
    assert [(one.action.name, one.ok) for one in log] == [
        ("get_html", True), ("modify_text", False), ("modify_radio", True), ("modify_text", True)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("act", "status", "why"),
    [
        (Act("<html>"), "malformed", "web page"),
        (Act(completion("It is good.")), "malformed", "no call of an action"),
        (Act(completion(" ")), "empty", "said nothing"),
        (Act(completion(None, refusal="I cannot")), "refused", "I cannot"),
        (Act(status=500), "failed", "broke (500)"),
        (Act(status=401), "failed", "refuses the key"),
        (Act(how="close"), "failed", "cannot be reached"),
        (Act('{"error": {"message": "too many tokens for the context"}}', 400), "failed", "tokens for the context"),
    ],
)
def test_a_server_that_misbehaves_is_told(predictor: Make, stage: Stage, act: Act, status: str, why: str) -> None:
    stage.plays(act)
    found = predictor().predict(request())
    assert found.status == status and why in found.why and found.answer is None
    assert trace_from_json(found.trace).left == {"good": "", "why": ""}


def test_a_server_that_never_answers_is_left(stage: Stage, waiting: Waiting) -> None:
    stage.plays(Act(how="hang"))
    chat = ServedChat(stage.server(timeout=0.3), "m", patience=waiting.patience(1))
    notes = PageModel(chat, PageSettings()).solve(shown := page(), shown.look(("good", "why")), request())
    assert notes.status is PredictionStatus.FAILED and "no answer within 0.3 s" in notes.why


def test_a_cancelled_run_ends_while_the_server_hangs(predictor: Make, stage: Stage) -> None:
    stage.plays(Act(how="hang"))
    model, token = predictor(pages=2), CancelToken()
    model.set_token(token)
    pages = [model.prepare(request())] * 3
    ends = threading.Timer(0, lambda: (stage.hung.wait(10), token.cancel()))
    ends.start()
    found = model.predict_batch(pages)
    ends.join()
    assert {one.status for one in found} == {PredictionStatus.FAILED}
