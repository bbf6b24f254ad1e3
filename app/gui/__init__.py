"""The window: docks, declared commands, one controller per feature."""

import stepscope.widgets  # noqa: F401 - first of all, so that PySide reads no source of what is imported from here on
