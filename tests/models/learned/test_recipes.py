"""Recipes of the program, and of packages by their entry points."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import EntryPoint

import pytest

from stepscope.core.domain.prediction import Task
from stepscope.core.errors import UsageError, UserError
from stepscope.models.learned import recipes
from tests.models.training.toy import RECIPE as TOY


@pytest.fixture
def packages(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    points = [
        EntryPoint("feasibility.toy", "tests.models.training.toy:RECIPE", recipes.GROUP),
        EntryPoint("feasibility.other", "tests.models.training.toy:RECIPE", recipes.GROUP),
        EntryPoint("ordering.broken", "tests.models.training.toy:GONE", recipes.GROUP),
        EntryPoint("feasibility.feasibility-mlp", "tests.models.training.toy:RECIPE", recipes.GROUP),
        EntryPoint("dancing.toy", "tests.models.training.toy:RECIPE", recipes.GROUP),
    ]
    monkeypatch.setattr("stepscope.core.process.packages.entry_points_of", lambda _group: iter(points))
    recipes._added.cache_clear()
    yield
    recipes._added.cache_clear()


def test_a_package_adds_a_recipe(packages: None) -> None:
    assert recipes.recipe("toy") is TOY
    assert recipes.recipes_of(Task.FEASIBILITY) == (
        "feasibility-mlp", "feasibility-reasons", "feasibility-set", "feasibility-tuned", "motif-feasibility", "toy",
        "other",
    )  # fmt: skip
    assert recipes.recipe("feasibility-mlp").info.name == "feasibility-mlp"


def test_what_a_package_breaks_is_told(packages: None) -> None:
    with pytest.raises(UserError, match="other of a package cannot be used: ValueError: it calls itself toy"):
        recipes.recipe("other")
    with pytest.raises(UserError, match="The recipe broken of a package cannot be used: AttributeError"):
        recipes.recipe("broken")
    with pytest.raises(UsageError, match=r"There is no recipe 'toyy'\. Did you mean toy"):
        recipes.recipe("toyy")
