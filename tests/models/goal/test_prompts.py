"""Prompts are files with versions; a person's own are copies that tell what they were made of."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.errors import UsageError, UserError
from stepscope.models.goal.prompts import (
    PLACES,
    changed,
    example_folder,
    goal_prompt,
    goal_prompts,
    own_folder,
    own_name,
    save_prompt,
    words_of,
)
from tests.models.chat.conftest import own_home  # noqa: F401 - a fixture, autouse


def test_the_programs_prompts_are_whole_and_the_usual_one_is_first() -> None:
    known, problems = goal_prompts()
    assert next(iter(known)) == "step-by-step" and not problems
    for prompt in known.values():
        for seen in PLACES:
            for actions in PLACES:
                words = prompt.instruction(seen, actions)
                assert "{seen}" not in words and "{actions}" not in words and "\n\n\n" not in words
                assert prompt.seen[seen] in words


def test_changed_words_have_the_next_version_and_another_digest() -> None:
    first = goal_prompt("step-by-step")
    assert changed(first, words_of(first)).version == "1"
    made = changed(first, {"user": "Well? One JSON object.", "seen.none": "You see nothing."})
    assert (made.version, made.user, made.seen["none"]) == ("1+1", "Well? One JSON object.", "You see nothing.")
    assert made.digest != first.digest and changed(made, {"user": "So?"}).version == "1+2"


def test_ones_own_is_kept_beside_the_programs_and_changed_in_place() -> None:
    first = goal_prompt("sentence")
    mine = save_prompt(first, "mine", {"user": "Der Grund?"})
    assert (mine.version, mine.title, own_name(first), own_name(mine)) == (
        "2+1", "One sentence (mine)", "sentence-own", "mine",
    )  # fmt: skip
    again = save_prompt(mine, "mine", {"system": "Say it.\n{seen}"})
    assert again.version == "2+2" and again.user == "Der Grund?" and goal_prompt("mine") == again
    assert [file.name for file in own_folder().iterdir()] == ["mine.toml"]
    assert [*goal_prompts()[0]] == ["step-by-step", "sentence", "mine"]


@pytest.mark.parametrize("name", ["sentence", "No Name", "", "a" * 41])
def test_names_that_cannot_be_are_refused(name: str) -> None:
    with pytest.raises(UsageError):
        save_prompt(goal_prompt("sentence"), name, {})
    save_prompt(goal_prompt("sentence"), "mine", {})
    with pytest.raises(UsageError, match="have a prompt mine already"):
        save_prompt(goal_prompt("step-by-step"), "mine", {})


def test_what_is_no_prompt_is_refused_and_a_broken_file_named() -> None:
    first = goal_prompt("sentence")
    for words in ({"user": " "}, {"seen.desktop": "x"}, {"title": "x"}):
        with pytest.raises(UserError, match="no prompt"):
            save_prompt(first, "mine", words)
    assert not own_folder().exists()
    own_folder().mkdir(parents=True)
    (own_folder() / "bad.toml").write_text('title = "x"\nversion = 3\n')
    known, (problem,) = goal_prompts()
    assert "bad.toml" in str(problem) and "version" in str(problem) and "bad" not in known
    with pytest.raises(UserError, match=r"bad\.toml"):
        goal_prompt("bad")


@pytest.mark.parametrize("name", ["../secrets", "/etc", "..", "nowhere"])
def test_an_example_stays_beside_its_prompt_or_in_the_sample(name: str) -> None:
    with pytest.raises(UserError, match="example"):
        example_folder(goal_prompt("sentence"), name)


@given(st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1).filter(str.strip))
def test_words_come_back_as_they_were_written(words: str) -> None:
    kept = save_prompt(goal_prompt("sentence"), "any", {"user": words, "actions.web": words})
    assert kept.user.strip() == words.strip() and kept.actions["web"] == words
    (own_folder() / "any.toml").unlink()
