"""Words alone and screens alone, as a setting of every model of ordering that looks at both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from stepscope.core.domain.elements import TreeOrigin, UITree
from stepscope.core.domain.episode import Picture
from stepscope.core.domain.geometry import Size
from stepscope.core.domain.prediction import OrderAnswer, Prediction
from stepscope.core.domain.procedure import ProcedureStep
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.predictor import OrderRequest
from stepscope.models.catalog import BERSON, PAIRWISE_POINTER, POSITION_PRIOR
from stepscope.models.ordering.search_choice import SEARCH_SETTINGS
from stepscope.models.ordering.shown_steps import SHOWN, offered, shown_info, shown_steps
from stepscope.models.registry import model_info

PICTURE = Picture(Path("a.png"), Size(10, 10))
TREE = UITree((), TreeOrigin.DOM, Size(10, 10))
ASKED = OrderRequest("p", "Brew", (ProcedureStep("1", "Pour", (PICTURE,), "Water", TREE), ProcedureStep("2", "Stir")))


class Telling:
    """Answers with what it was shown."""

    info = offered(PAIRWISE_POINTER)
    batch_size, fingerprint = 4, "weights 1"

    def prepare(self, request: OrderRequest) -> str:
        return "; ".join(f"{one.text},{one.title},{len(one.pictures)},{one.tree is not None}" for one in request.steps)

    def predict_batch(self, prepared: Sequence[str]) -> list[Prediction]:
        return [Prediction("p", None, OrderAnswer(("1", "2")), raw=one) for one in prepared]

    def predict(self, request: OrderRequest) -> Prediction:
        return self.predict_batch([self.prepare(request)])[0]

    def warm_up(self) -> None: ...

    def close(self) -> None: ...


@pytest.mark.parametrize(
    ("chosen", "raw"),
    [
        ("both", "Pour,Water,1,True; Stir,,0,False"),
        ("words", "Pour,Water,0,False; Stir,,0,False"),
        ("screens", ",,1,True; ,,0,False"),
    ],
)
def test_what_is_shown(chosen: str, raw: str) -> None:
    model: Any = shown_steps(Telling(), shown_info(Telling.info, chosen))
    assert model.predict(ASKED).raw == raw
    assert model.predict_batch([model.prepare(ASKED)])[0].raw == raw
    assert (model.fingerprint == "weights 1") == (chosen == "both"), "answers are kept apart"


def test_names_and_inputs_tell() -> None:
    words = model_info("pairwise-pointer?steps=words")
    assert (words.name, words.title) == ("pairwise-pointer?steps=words", "Pairwise pointer, words alone")
    assert words.inputs == ("text",) and model_info("pairwise-pointer?steps=screens").inputs == ("screens",)
    assert model_info("pairwise-pointer?steps=both").name == "pairwise-pointer"


def test_it_stands_beside_a_models_own_settings() -> None:
    assert offered(BERSON).settings == (*SEARCH_SETTINGS, SHOWN)
    beam = replace(offered(BERSON), name="berson?beam=8")
    assert shown_info(beam, "screens").name == "berson?beam=8&steps=screens"


def test_only_models_that_look_at_both_have_it() -> None:
    assert offered(POSITION_PRIOR).settings == ()
    without = replace(offered(BERSON), inputs=("text",))
    assert offered(without).settings == SEARCH_SETTINGS
    for name in ("as-given?steps=words", "text-match?steps=words", "pairwise-pointer?steps=pictures"):
        with pytest.raises(UsageError, match="steps"):
            model_info(name)
