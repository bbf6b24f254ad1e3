"""A web task's page and answers: fields read from HTML, values from the columns of a batch table."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.webtask import FieldType, WebField
from stepscope.core.sources.web_answers import AnswerTable
from stepscope.core.sources.web_template import fields_of, title_of, variables_of


class TestPages:
    def test_title_and_variables_in_order_of_appearance(self) -> None:
        page = "<title> Rate\n it </title><p>${goal} ${who me} ${}</p><script>`${goal}${text}`</script>"
        assert variables_of(page) == ("goal", "who me", "text") and title_of(page) == "Rate it"

    def test_crowd_elements_stand_for_native_ones(self) -> None:
        page = """<crowd-form><crowd-input name="a" label="First"></crowd-input><crowd-text-area name="b"/>
        <crowd-radio-button name="c" value="v">V</crowd-radio-button><crowd-checkbox name="d">D</crowd-checkbox>
        <crowd-slider name="e" min="0"></crowd-slider><crowd-button name="f"></crowd-button></crowd-form>"""
        assert [(field.name, field.type.value, field.options, field.label) for field in fields_of(page)] == [
            ("a", "text", (), "First"),
            ("b", "textarea", (), ""),
            ("c", "radio", ("v",), ""),
            ("d", "checkbox", ("on",), ""),
            ("e", "range", (), ""),
        ]

    def test_classifiers_answer_under_the_platforms_names(self) -> None:
        page = """<crowd-classifier name="a" header="Which one?" categories="['it\\'s', 'no']"></crowd-classifier>
        <crowd-image-classifier name="b" categories='["${first}", "no"]'></crowd-image-classifier>
        <crowd-classifier-multi-select name="c" categories='["P", "Q"]' exclusion-category="{ text: 'None' }">
        </crowd-classifier-multi-select><crowd-classifier categories="['x']"></crowd-classifier>"""
        assert fields_of(page) == (
            WebField("a.label", FieldType.RADIO, ("it's", "no"), "Which one?"),
            WebField("b.label", FieldType.RADIO),
            WebField("c.labels", FieldType.CHECKBOX, ("P", "Q", "None")),
        )

    def test_a_name_of_two_types_is_of_the_first(self) -> None:
        (field,) = fields_of("<input name=q type=email><textarea name=q></textarea><input name=''><input>")
        assert (field.name, field.type) == ("q", FieldType.TEXT)

    @pytest.mark.parametrize(
        "page",
        [
            "",
            "\0",
            "<!-- only -->",
            "<div>" * 50_000,
            "<?xml version='1.0' encoding='utf-16'?>",
            "<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><p>&b;",
        ],
    )
    def test_pages_without_fields(self, page: str) -> None:
        assert fields_of(page) == ()

    def test_entities_of_a_stranger_are_not_resolved(self) -> None:
        page = "<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/hostname'>]><label for=i>&b;</label><input id=i name=n>"
        assert fields_of(page)[0].label == "&b;"

    def test_a_label_around_many_fields_is_read_once(self) -> None:
        fields = "".join(f"<input name=n{number}>" for number in range(20_000))
        assert len(fields_of(f"<label>{fields}</label>")) == 20_000


class TestAnswers:
    RADIO = WebField("r.1", FieldType.RADIO, ("1", "2"))
    BOXES = WebField("b", FieldType.CHECKBOX, ("x", "1", "y"))
    TEXT = WebField("t", FieldType.TEXT)

    def table(self, header: list[str], *rows: list[str]) -> tuple[AnswerTable, list[dict[str, str]]]:
        table = AnswerTable.of(header, rows, [self.RADIO, self.BOXES, self.TEXT])
        return table, [dict(table.answers(row)) for row in rows]

    def test_numbers_that_a_table_made_of_options_are_options_again(self) -> None:
        _, answers = self.table(["Answer.b", "Answer.r.1", "Answer.t"], ["y|1.0", "2.0", "2.0"], ["z.0", "3.0", "{}"])
        assert answers == [{"b": "y|1", "r.1": "2", "t": "2.0"}, {"b": "z.0", "r.1": "3.0"}]

    def test_a_field_with_a_dot_in_its_name_keeps_its_options(self) -> None:
        table, answers = self.table(["Answer.r.1.1", "Answer.r.1.2"], ["False", "True"], ["False", "False"])
        assert table.fields == (self.RADIO,) and answers == [{"r.1": "2"}, {}]

    def test_the_fields_own_column_comes_before_those_of_its_options(self) -> None:
        _, answers = self.table(
            ["Answer.r.1.1", "Answer.r.1", "Answer.r.1.2"], ["True", "2.0", "False"], ["True", "", ""]
        )
        assert answers == [{"r.1": "2"}, {"r.1": "1"}]

    def test_boxes_in_a_list_of_their_own_are_joined_like_all_others(self) -> None:
        _, answers = self.table(["Answer.b"], ['["x", "1.0"]'], ["[]"], ["[x"], ["[1]"], ["[" * 5000])
        assert answers == [{"b": "x|1"}, {}, {"b": "[x"}, {"b": "[1]"}, {"b": "[" * 5000}]

    def test_fields_that_only_the_table_knows(self) -> None:
        header = ["Answer.made.a", "Answer.made.b", "Answer.one.a", "Answer.one.b", "Answer.no.5"]
        table, answers = self.table(header, ["true", "true", "", "true", "2.5"], ["false", "true", "true", "false", ""])
        assert table.fields == (
            WebField("made", FieldType.CHECKBOX, ("a", "b")),
            WebField("one", FieldType.RADIO, ("a", "b")),
            WebField("no.5", FieldType.TEXT),
        )
        assert answers == [{"made": "a|b", "one": "b", "no.5": "2.5"}, {"made": "b", "one": "a"}]


TAGS = ("<input", "<select", "<option", "</select>", "<label for=a>", "</label>", "<fieldset><legend>", "<script>", ">")
INSIDE = (
    " name=a",
    " name='b c'",
    " type=radio",
    " type=\0",
    " value=1",
    "${a}",
    "${",
    "<!--",
    "-->",
    "<![CDATA[",
    "&b;",
)
PIECES = st.sampled_from(TAGS + INSIDE)


@given(st.lists(PIECES | st.text(max_size=3), max_size=12).map("".join))
def test_any_page_gives_fields(page: str) -> None:
    assert all(isinstance(field, WebField) and field.name for field in fields_of(page))
    assert title_of(page) == title_of(page).strip()
