"""The filter language: what it means, how it is printed, where its errors stand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.filter import (
    EVERYTHING,
    FIELDS,
    And,
    EveryStep,
    FieldKind,
    FilterError,
    NoStep,
    Not,
    Number,
    Or,
    Pattern,
    Range,
    Term,
    Text,
    Word,
)
from stepscope.core.domain.filter_parser import MAX_DEPTH, MAX_LENGTH, parse

EXAMPLES_OF_THE_SPECIFICATION = """\
app:spotify -feasible wrong:run2 steps>8 action:type text:"settings"
infeasible reason:premature,unclear
right:A wrong:B
action:tap dist:A>0.14
conf:A<0.4 wrong:A
malformed:B | unscored:B
differs:A,B step:1..3
flips:radius14,aitz
ask -checked
none(wrong:A) wrong:B
all(right:A) steps>=10
typed:/\\d{5}/ target:"zip"
key:back app:chrome,settings
(app:reddit | app:quora) latency:B>2000
defect note:"scroll"
""".splitlines()


@pytest.mark.parametrize("text", EXAMPLES_OF_THE_SPECIFICATION)
def test_every_example_is_understood_and_prints_as_itself(text):
    assert parse(str(parse(text))) == parse(text)


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("", EVERYTHING),
        ("  ", EVERYTHING),
        ("spotify", Word("spotify")),
        ("wi-fi", Word("wi-fi")),
        ('"wrong"', Word("wrong")),
        ("wrong", Term("wrong")),
        ("APP:Spotify", Term("app", ":", (Text("Spotify"),))),
        ('goal="a \\"b\\""', Term("goal", "=", (Text('a "b"'),))),
        ("steps>8", Term("steps", ">", (Number(8.0),))),
        ("steps:3..5,9", Term("steps", ":", (Range(3.0, 5.0), Number(9.0)))),
        ("steps:8..", Term("steps", ":", (Range(8.0, None),))),
        ("wrong:A,run2", Term("wrong", ":", (), ("A", "run2"))),
        ('wrong:"my model"', Term("wrong", ":", (), ("my model",))),
        ("conf:A<0.4", Term("conf", "<", (Number(0.4),), ("A",))),
        ("conf<=.5", Term("conf", "<=", (Number(0.5),))),
        ("conf:0.5", Term("conf", ":", (Number(0.5),))),
        ("goal:/a\\/b|c/", Term("goal", ":", (Pattern("a/b|c"),))),
        ("a b | c", Or((And((Word("a"), Word("b"))), Word("c")))),
        ("a (b | c)", And((Word("a"), Or((Word("b"), Word("c")))))),
        ("--a", Not(Not(Word("a")))),
        ("-(a b)", Not(And((Word("a"), Word("b"))))),
        ("all(right:A)", EveryStep(Term("right", ":", (), ("A",)))),
        ("None( wrong )", NoStep(Term("wrong"))),
        ("all", Word("all")),
    ],
)
def test_meaning(text, meaning):
    assert parse(text) == meaning


@pytest.mark.parametrize(
    ("text", "position", "length", "suggestion"),
    [
        ("steps>3 gaol:x", 8, 4, "goal"),
        ("acton:tap", 0, 5, "action"),
        ("a )", 2, 1, ""),
        ("(a", 0, 1, ""),
        ("a | ", 4, 0, ""),
        ("()", 1, 1, ""),
        ("- a", 0, 1, ""),
        ("app:", 4, 0, ""),
        ("app: spotify", 4, 0, ""),
        ("steps:many", 6, 4, ""),
        ("steps:5..3", 6, 4, ""),
        ("steps:..", 6, 2, ""),
        ("steps:1e999", 6, 5, ""),
        ("steps:1_0", 6, 3, ""),
        ("steps>1,2", 6, 3, ""),
        ("app>3", 3, 1, ""),
        ("goal:/a[/", 5, 4, ""),
        ("goal:/a", 5, 2, ""),
        ('goal:"a', 5, 2, ""),
        ("feasible:yes", 8, 1, ""),
        (":x", 0, 1, ""),
        ('""', 0, 2, ""),
        ("a\0", 1, 1, ""),
        ("a\ud800", 1, 1, ""),
    ],
)
def test_an_error_marks_its_token_and_names_the_nearest_field(text, position, length, suggestion):
    with pytest.raises(FilterError) as caught:
        parse(text)
    error = caught.value
    assert (error.position, error.length, error.suggestion) == (position, length, suggestion)
    assert error.message.endswith(".")


def test_a_term_knows_where_it_stands():
    query = parse("  a -steps>=10")
    assert isinstance(query, And) and isinstance(query.parts[1], Not)
    term = query.parts[1].part
    assert isinstance(term, Term) and (term.position, term.length) == (5, 9)


def test_absurd_sizes_are_refused_and_do_not_break_the_parser():
    for text in ("(" * (MAX_DEPTH + 1), "-" * 1000 + "a", "all(" * 900, "a " * MAX_LENGTH):
        with pytest.raises(FilterError):
            parse(text)


characters = st.characters(exclude_categories=("Cs",), exclude_characters="\0")
texts = st.text(characters, min_size=1, max_size=12)
finite = st.floats(allow_nan=False, allow_infinity=False)
numbers = st.builds(Number, finite)
ranges = st.one_of(
    st.tuples(finite, finite).map(lambda ends: Range(min(ends), max(ends))),
    finite.map(lambda low: Range(low, None)),
    finite.map(lambda high: Range(None, high)),
)
patterns = st.sampled_from(["a", "a/b", r"\d{5}", "(x|y)", r"\\/", '"', "^a b$"]).map(Pattern)


@st.composite
def field_terms(draw):
    field = draw(st.sampled_from(list(FIELDS.values())))
    if field.kind is FieldKind.FLAG or (field.bare and draw(st.booleans())):
        return Term(field.name)
    colon = draw(st.sampled_from([":", "="]))
    some_runs = st.lists(texts, min_size=1, max_size=3).map(tuple)
    if field.kind is FieldKind.RUN:
        return Term(field.name, colon, (), draw(some_runs))
    if field.kind in (FieldKind.NUMBER, FieldKind.RUN_NUMBER):
        run = draw(st.one_of(st.just(()), texts.map(lambda name: (name,)))) if field.kind != FieldKind.NUMBER else ()
        if draw(st.booleans()):
            return Term(field.name, draw(st.sampled_from(["<", "<=", ">", ">="])), (draw(numbers),), run)
        return Term(field.name, colon, tuple(draw(st.lists(numbers | ranges, min_size=1, max_size=3))), run)
    values = texts.map(Text) if field.kind is FieldKind.RULE else texts.map(Text) | patterns
    return Term(field.name, colon, tuple(draw(st.lists(values, min_size=1, max_size=3))))


def _nested(queries):
    several = st.lists(queries, min_size=2, max_size=3).map(tuple)
    return st.one_of(queries.map(Not), queries.map(EveryStep), queries.map(NoStep), several.map(And), several.map(Or))


queries = st.recursive(texts.map(Word) | field_terms(), _nested, max_leaves=8)


@given(queries)
def test_printing_and_reading_again_gives_the_same_query(query):
    assert parse(str(query)) == query


@given(st.text(st.sampled_from('ab:=<>()|-,./"\\ 01wrongal') | characters, max_size=40))
def test_any_text_is_understood_or_refused_with_a_place_inside_it(text):
    try:
        query = parse(text)
    except FilterError as error:
        assert 0 <= error.position <= error.position + error.length <= len(text)
    else:
        assert parse(str(query)) == query
