"""Settings in the name of a model that fills in pages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.model_name import split_name
from stepscope.core.errors import UsageError
from stepscope.models.webtask.page_settings import OPTIONS, PageSettings, page_settings, set_name


@pytest.mark.parametrize(
    ("query", "words", "ask"),
    [
        ("", "full page", "page"),
        ("demos=3&html=full&vision=1", "3 demos, full page, with pictures", "page"),
        ("demos=1&html=relevant", "1 demo, relevant parts", "field"),
        ("html=relevant&ask=page", "relevant parts, asked once", "page"),
        ("ask=field&context=8000", "full page, asked field by field, 8,000 tokens", "field"),
    ],
)
def test_what_a_name_sets(query: str, words: str, ask: str) -> None:
    found = page_settings("page:lab/m", split_name(f"page:lab/m?{query}")[1])
    assert (found.words, found.ask) == (words, ask)


def test_what_is_usual_is_left_out_of_the_name() -> None:
    given = {"vision": "1", "html": "full", "demos": "3", "context": "32000"}
    assert set_name("page:lab/m", page_settings("page:lab/m", given)) == "page:lab/m?demos=3&vision=1"
    assert set_name("page:lab/m", PageSettings()) == "page:lab/m"


@pytest.mark.parametrize(
    ("name", "value"),
    [("demo", "3"), ("demos", "8"), ("demos", "-1"), ("vision", "2"), ("html", "some"), ("context", "9")],
)
def test_what_cannot_be_is_told(name: str, value: str) -> None:
    with pytest.raises(UsageError) as error:
        page_settings("page:lab/m", {name: value})
    assert "page:lab/m" in str(error.value) and error.value.hint


@given(
    st.builds(
        PageSettings,
        st.integers(0, 7),
        st.sampled_from(["full", "relevant"]),
        st.booleans(),
        st.sampled_from(["auto", "page", "field"]),
        st.integers(1000, 4_000_000),
    )
)
def test_a_name_says_all_that_is_set(found: PageSettings) -> None:
    plain, given = split_name(set_name("page:lab/org/m", found))
    assert plain == "page:lab/org/m" and page_settings(plain, given) == found
    assert set(given) <= {option.name for option in OPTIONS}
