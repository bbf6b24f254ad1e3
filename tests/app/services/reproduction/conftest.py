"""A table about the sample's episodes whose rows need no browser, and a store with the sample in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from stepscope.app.services.library import whole_index
from stepscope.app.services.provenance import SAMPLE
from stepscope.app.services.reproduction.planning import TableData
from stepscope.app.services.reproduction.tables import PaperTable, read_table
from stepscope.core.progress import CancelToken
from stepscope.core.settings import store_url
from stepscope.core.store.engine import Database

TABLE = """
name = "steps"
title = "Steps"
paper = "A paper"
place = "table 2"
section = "5"
task = "automation"
protocol = "aitw"
digits = 2

[[columns]]
id = "loose"
title = "Step accuracy"
metric = "step_accuracy"
format = "recording"
per_app = 1

[[columns]]
id = "whole"
title = "Complete match"
metric = "complete_match"
format = "recording"
per_app = 1

[[columns]]
id = "exact"
title = "Step accuracy, words too"
metric = "step_accuracy"
format = "recording"
per_app = 1
options = { text = "exact" }

[[rows]]
id = "words"
label = "Matching words"
run = { kind = "model", model = "text-match" }

[[rows]]
id = "chance"
label = "Chance"
run = { kind = "model", model = "random", seeded = true }

[[rows]]
id = "asked"
label = "A model behind a server"
run = { kind = "served", prefix = "served:", settings = { history = 1 } }
"""


@pytest.fixture
def table(tmp_path: Path) -> PaperTable:
    """Three rows and three columns: `words` has one run, `chance` one a seed, `asked` needs a server."""
    file = tmp_path / "steps.toml"
    file.write_text(TABLE)
    return read_table(file)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with Database.open(store_url(tmp_path / "runs.db")) as database:
        yield database


@pytest.fixture
def sample(database: Database) -> TableData:
    found = whole_index(database, SAMPLE, CancelToken())
    assert found is not None
    return TableData(SAMPLE, found.source, found.source_id)
