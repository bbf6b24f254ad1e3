"""The splits of tasks, out of the index of their pages."""

from dataclasses import replace

from stepscope.core.store.repositories import sources
from stepscope.core.store.web_scores import task_splits


def test_the_splits_of_each_task(database, summaries):
    pages = [
        replace(summaries[0], id="Rate/0", app="Rate", splits=("test", "challenge")),
        replace(summaries[0], id="Rate/1", app="Rate", splits=("test",)),
        replace(summaries[0], id="Tick/0", app="Tick", splits=()),
        replace(summaries[0], id="nobody's", app=None, splits=("train",)),
    ]
    with database.unit_of_work() as db:
        sources.replace_index(db, "data/crowd", "turkingbench", "f1", pages)
    with database.reading() as db:
        found = task_splits(db, "data/crowd")
        assert {task: set(splits) for task, splits in found.items()} == {"Rate": {"test", "challenge"}, "Tick": set()}
        assert task_splits(db, "data/elsewhere") == {}
