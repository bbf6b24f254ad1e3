"""A run's scores without the items that people called defective, beside those with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from stepscope.app.cli.output import number_of, say, table

if TYPE_CHECKING:
    from stepscope.core.store.engine import Database


def without_defects(database: Database, run: str) -> dict[str, Any]:
    """`{"without_defects": {"defective", "n", "metrics"}}` of a run under its own rule; empty when no item of it is
    defective."""
    from stepscope.core.evaluation.defects import metrics_without_defects

    found = metrics_without_defects(database, run)
    if not found.defective:
        return {}
    metrics = found.without
    return {"without_defects": {"defective": found.defective, "n": metrics.n, "metrics": metrics.as_dict()}}


def show_without_defects(form: dict[str, Any]) -> None:
    """The same for a reader."""
    beside = form.get("without_defects")
    if beside:
        items = number_of(beside["defective"], "defective items")
        say("", f"Without {items}, n {beside['n']}:")
        table(["metric", "value"], list(beside["metrics"].items()), numbers=["value"])
