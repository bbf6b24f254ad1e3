"""A file of references in the place of the data's own, for records and for evaluations."""

import json

import pytest

from stepscope.core.domain.prediction import OrderAnswer, Prediction
from stepscope.core.domain.procedure import Procedure, ProcedureStep
from stepscope.core.errors import UserError
from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.ordering import INFO, OrderingScorer
from stepscope.core.scoring.records import Records
from stepscope.core.scoring.registry import score_records

PROCEDURE = Procedure("p", "test", "Make it", tuple(ProcedureStep(step, step) for step in "123"))


def scored(path, order="213"):
    options = parse_options(INFO, {"references": str(path)})
    return OrderingScorer().score_item(PROCEDURE, Prediction("p", None, OrderAnswer(tuple(order))), options)


@pytest.fixture
def write(tmp_path):
    def write(*forms):
        path = tmp_path / "references.jsonl"
        path.write_text("".join(json.dumps(form) + "\n" for form in forms))
        return path

    return write


def test_references_of_a_file_count_in_the_place_of_the_datas(write):
    path = write({"id": "p", "references": [list("123"), list("213")], "voters": 3})
    assert scored("data").value == pytest.approx(1 / 3), "the third stands where it should"
    assert scored(path).right and scored(path).why.endswith("Against reference 2 of 2.")
    records = [{"id": name, "references": [["1", "2", "3"]], "prediction": ["2", "1", "3"]} for name in ("p", "q")]
    options = parse_options(INFO, {"references": str(path)})
    found = score_records(OrderingScorer(), Records.of(records), options)
    assert found.metrics.as_dict()["pmr"] == 0.5, "q is not in the file"


def test_a_file_that_is_made_anew_is_read_anew(write):
    assert scored(write({"id": "p", "references": [list("123"), list("213")]})).right
    assert not scored(write({"id": "p", "references": [list("123")]})).right


@pytest.mark.parametrize(
    ("forms", "said"),
    [
        ([{"id": "p"}], "references.jsonl:1: "),
        ([{"id": "p", "references": [["1"], ["2"]]}], "references[1]"),
        ([{"id": "p", "references": []}], "has no order"),
        ([{"id": "p", "references": [["1"]]}] * 2, "references.jsonl:2: "),
        ([{"id": "p", "references": [list("124")]}], "other steps"),
    ],
)
def test_what_is_wrong_is_told_with_line_and_field(write, forms, said):
    with pytest.raises(UserError) as caught:
        scored(write(*forms))
    assert said in str(caught.value)


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(UserError, match="no such file of references"):
        scored(tmp_path / "none.jsonl")
