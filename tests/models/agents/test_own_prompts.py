"""A person's own prompt is a copy of the adapter, with a version that tells what it was made of."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stepscope.core.errors import UsageError, UserError
from stepscope.models.agents.adapter import adapter_for, adapter_named, adapters, own_folder
from stepscope.models.agents.own_prompts import PromptWords, own_name, save_prompts, words_of

ALL = sorted(adapters()[0])


@pytest.mark.parametrize("name", [name for name in ALL if adapter_named(name).has_prompt])
def test_every_adapter_is_kept_as_it_is_but_for_the_words(name: str) -> None:
    adapter = adapter_named(name)
    words = words_of(adapter)
    place = next(iter(words))
    words[place] = PromptWords('Say "so"\n\\ {width}\n', f"{words[place].user}\nBe quick: é.")
    kept = save_prompts(adapter, f"{name}-mine", words)
    prompt = getattr(adapter, place)
    changed = replace(prompt, system=words[place].system, user=words[place].user, version=f"{prompt.version}+1")
    assert replace(kept, name=adapter.name, title=adapter.title, models=adapter.models) == replace(
        adapter, **{place: changed}
    )
    assert kept.models == () and kept.digest != adapter.digest


def test_changed_again_it_has_the_next_version_and_stays_one_file() -> None:
    first = adapter_named("qwen2.5-vl")
    assert own_name(first) == "qwen2.5-vl-own"
    words = words_of(first)
    one = save_prompts(first, "mine", words | {"prompt": PromptWords(words["prompt"].system, "Task: {goal} now")})
    assert (one.prompt.version, one.prompt_web.version, own_name(one)) == ("1+1", "1", "mine")
    two = save_prompts(one, "mine", words_of(one) | {"prompt": PromptWords("", "Task: {goal} later")})
    assert two.prompt.version == "1+2" and two.title == "Qwen2.5-VL (mine)"
    assert [file.name for file in own_folder().iterdir()] == ["mine.toml"]
    assert adapter_for("Qwen2.5-VL-7B", adapters()[0]) == "qwen2.5-vl", "models go on speaking as they did"


@pytest.mark.parametrize("name", ["qwen2.5-vl", "No Name", "", "a" * 41])
def test_names_that_cannot_be_are_refused(name: str) -> None:
    with pytest.raises(UsageError):
        save_prompts(adapter_named("qwen2.5-vl"), name, {})


def test_what_is_no_prompt_is_refused_and_leaves_what_was_there() -> None:
    first = adapter_named("uground")
    with pytest.raises(UserError, match=r"names \{nobody\}"):
        save_prompts(first, "mine", {"prompt": PromptWords("", "Ask {nobody} for {goal}")})
    assert not (own_folder() / "mine.toml").exists()
    kept = save_prompts(first, "mine", {"prompt": PromptWords("", "Where is {goal}?")})
    with pytest.raises(UserError, match=r"neither \{goal\}"):
        save_prompts(kept, "mine", {"prompt": PromptWords("", "Where?")})
    assert adapter_named("mine").prompt == kept.prompt
    with pytest.raises(UsageError, match="you have an adapter mine already"):
        save_prompts(first, "mine", {})
