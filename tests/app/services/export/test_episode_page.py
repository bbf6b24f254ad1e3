"""The page of an episode: all that is known of every step; words of strangers stay words."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from lxml import html

from stepscope.app.services.export.episode_frames import FrameSize
from stepscope.app.services.export.episode_page import page_steps
from stepscope.app.services.export.episode_view import RunView
from stepscope.core.domain.episode import FeasibilityLabel
from stepscope.core.domain.prediction import FeasibilityAnswer, Prediction
from stepscope.core.domain.run import ItemKey, Outcome
from stepscope.core.domain.score import Score
from stepscope.core.imaging.resampling import fitted
from stepscope.core.progress import CancelToken
from tests.app.episodes import HOSTILE, SIZE, view

NOW = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)


def page_of(shown, **more) -> str:
    steps = page_steps(shown, CancelToken(), now=NOW, **more)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def words(element) -> str:
    return " ".join(" ".join(element.itertext()).split())


@pytest.fixture
def page(tmp_path):
    return html.document_fromstring(page_of(view(tmp_path), size=FrameSize.SMALL))


def test_the_head_tells_what_is_known_of_the_episode(page) -> None:
    (head,) = page.xpath("//header")
    said = words(head)
    assert said.startswith("Buy a lamp shop · lamp · shop · recording · 3 steps")
    for part in ("Feasibility infeasible (unclear)", "Follow-up Which one?", "Rule AitW", "Starred me, 2026-01-02"):
        assert part in said


def test_every_step_has_its_picture_and_what_was_done_and_answered(page) -> None:
    first, second, third = page.xpath("//article")
    said = words(first)
    for part in (
        "Step 1 of 3", "Reference tap at 200, 400 on “Search”", "Instruction Open the search", "Time 0.0 s",
        "A first ✓ hit",
        "tap at 210, 410", "Confidence 0.50", "Latency 1,234 ms", "Raw output TAP 210 410", "B second ✕ miss",
        "Buy a lamp me, 2026-01-02",
    ):  # fmt: skip
        assert part in said, said
    assert re.search(r"Why .*away, limit 0.14", said)
    said = words(second)
    for part in ("Question due Which lamp?", "Answer The red one", "B second ⚠ malformed", "not JSON", "???"):
        assert part in said, said
    assert "A first" not in said, "it has no answer there"
    assert "Defect: wrong reference 2026-01-02" in said
    assert words(third).startswith("Step 3 has no picture. Step 3 of 3")


def test_pictures_are_in_the_page_and_no_larger_than_asked(page) -> None:
    small = fitted(SIZE, type(SIZE)(640, 640))
    images = page.xpath("//img")
    assert [(image.get("width"), image.get("height")) for image in images] == [("320", "640")] * 2
    assert (small.width, small.height) == (320, 640)
    data = images[0].get("src").removeprefix("data:image/jpeg;base64,")
    assert base64.b64decode(data).startswith(b"\xff\xd8\xff")


def test_steps_are_linked_and_wrong_ones_marked(page) -> None:
    links = page.xpath("//nav//a")
    assert [(link.get("href"), link.get("class")) for link in links] == [
        ("#step-1", "wrong"), ("#step-2", "wrong"), ("#step-3", None)
    ]  # fmt: skip
    opens = page.xpath("//article//h2/a/@href")
    assert opens[1] == "stepscope://shop/lamp/1?runs=A,B&rule=aitw&ids=3f9a,77c0"


def test_nothing_is_loaded_from_anywhere(tmp_path) -> None:
    text = page_of(view(tmp_path))
    assert not re.search(r"(src|href)=.https?:|@import|url\(", text)
    policy = html.document_fromstring(text).xpath("//meta[@http-equiv]/@content")[0]
    assert policy.startswith("default-src 'none'; img-src data:;")


def test_words_of_strangers_stay_words(tmp_path) -> None:
    shown = view(tmp_path, goal=HOSTILE, raw=HOSTILE + "</pre><img src=x onerror=alert(1)>")
    shown = replace(shown, data='"><script>', runs={0: replace(shown.runs[0], name=HOSTILE), 1: shown.runs[1]})
    text = page_of(shown)
    page = html.document_fromstring(text)
    (script,) = page.xpath("//script")
    digest = base64.b64encode(hashlib.sha256(script.text.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in text, "the one script that may run"
    assert page.xpath("//h1")[0].text == HOSTILE
    assert not page.xpath("//*[@onerror]") and len(page.xpath("//img")) == 2
    assert HOSTILE in page.xpath("//pre")[0].text


def test_an_answer_about_the_whole_episode_stands_in_the_head(tmp_path) -> None:
    answer = FeasibilityAnswer(FeasibilityLabel.INFEASIBLE, 0.8125)
    whole = Outcome(ItemKey("lamp", -1), Prediction("lamp", None, answer, raw="no"), Score.scored(1, "as labelled"))
    page = html.document_fromstring(page_of(replace(view(tmp_path), runs={0: RunView("judge", whole=whole)})))
    said = words(page.xpath("//header")[0])
    assert "A judge ✓ hit" in said and "infeasible, P(infeasible) 0.812" in said
    assert not page.xpath("//article//*[contains(@class, 'run0')]")


def test_a_cancel_leaves_no_page(tmp_path) -> None:
    token = CancelToken()
    steps = page_steps(view(tmp_path), token)
    next(steps)
    token.cancel()
    with pytest.raises(StopIteration) as end:
        next(steps)
    assert end.value.value == ""
