"""What the store calls the filters of a run's items."""

from __future__ import annotations

from stepscope.widgets.results.items_filter import ItemsFilter

STORED_FILTER = {
    ItemsFilter.ALL: "all",
    ItemsFilter.WRONG: "wrong",
    ItemsFilter.RIGHT: "right",
    ItemsFilter.MALFORMED: "malformed",
    ItemsFilter.NULL: "null",
    ItemsFilter.UNSCORED: "unscored",
    ItemsFilter.ERRORS: "error",
    ItemsFilter.FLIPS: "flips",
}
