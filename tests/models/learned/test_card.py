"""Cards of trained models that are none: each is named and passed over, and hides no other model."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from stepscope.core.errors import UserError
from stepscope.models.learned.card import CARD, read_card
from stepscope.models.learned.model_folders import own_folder, shipped_folder
from stepscope.models.registry import registry

GOOD = shipped_folder() / "two-tower" / CARD


def form(**changes: object) -> str:
    return json.dumps(json.loads(GOOD.read_text("utf-8")) | changes)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[" * 100_000, "nested too deeply"),
        ('{"a":' * 100_000, "nested too deeply"),
        ("[]", "no card of a model"),
        ("", "cannot be read"),
        (b"\xff\xfe\x00", "cannot be read"),
        (" " * (16 << 20) + "{}", "more than 16 MB"),
        (form(name="<b>bold</b>"), "the name '<b>bold</b>' is none"),
        (form(name="red\x1b[31m"), "is none that a model can have"),
        (form(name="../../up"), "is none that a model can have"),
        (form(name=7), "name is missing or of the wrong kind"),
        (form(config=[]), "config is missing or of the wrong kind"),
        (form(seeds=[1]), "seeds is missing or of the wrong kind"),
        (form(task=["automation"]), "its task is none that is known"),
        ("1" * 5000, "cannot be read"),
    ],
    ids=range(14),
)
def test_a_card_that_is_none_is_named_and_hides_no_other_model(text, words, own_home):
    folder = own_folder() / "mine"
    folder.mkdir(parents=True)
    (folder / CARD).write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(UserError, match=words):
        read_card(folder)
    found = registry(())
    assert "two-tower" in found.models and "random" in found.models
    (problem,) = found.problems
    assert str(folder / CARD) in problem.message and words in problem.message


def test_what_stands_in_a_card_s_place_is_no_card(own_home, tmp_path):
    """A pipe would keep a reader waiting for ever, a device has no end."""
    for name, make in (
        ("pipe", os.mkfifo),
        ("folder", Path.mkdir),
        ("device", lambda path: path.symlink_to("/dev/zero")),
        ("loop", lambda path: path.symlink_to(path.name)),
    ):
        folder = own_folder() / name
        folder.mkdir(parents=True)
        make(folder / CARD)
    found = registry(())
    named = {Path(problem.message.split(": ")[0]).parent.name for problem in found.problems}
    assert named >= {"pipe", "folder", "device"}
    assert "two-tower" in found.models


def test_of_two_own_models_of_one_name_the_second_is_named(own_home):
    for folder in ("a", "b"):
        (own_folder() / folder).mkdir(parents=True)
        (own_folder() / folder / CARD).write_text(form(name="same"))
    (own_folder() / "c").mkdir()
    (own_folder() / "c" / CARD).write_text(form(name="random"))
    found = registry(())
    assert found.models["same"].trained.folder.name == "a"
    assert found.models["random"].trained is None
    told = [(Path(one.message.split(": ")[0]).name, one.name) for one in found.problems]
    assert told == [("b", "same"), ("c", "random")]


def test_an_own_model_goes_before_the_shipped_one_of_its_name(own_home):
    shutil.copytree(GOOD.parent, own_folder() / "two-tower")
    found = registry(())
    assert not found.models["two-tower"].trained.shipped and not found.problems
