"""The words that a model is asked in: read, and changed into an adapter of the person's own."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from stepscope.core.errors import UserError
from stepscope.models.agents import own_prompts, prompts
from stepscope.models.agents.adapter import Adapter
from stepscope.widgets.models.adding import PromptDialog


def edit_prompt(adapter: Adapter, parent: QWidget, saved: Callable[[str], object]) -> PromptDialog:
    """A window over `parent`; `saved` gets the name of the adapter that the changed words have become."""
    words = own_prompts.words_of(adapter)
    dialog = PromptDialog(
        adapter.title,
        {place: (one.system, one.user) for place, one in words.items()},
        {place: getattr(adapter, place).version for place in words},
        prompts.NAMES,
        own_prompts.own_name(adapter),
        parent,
    )
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def save(name: str, said: dict[str, tuple[str, str]]) -> None:
        changed = {place: own_prompts.PromptWords(*one) for place, one in said.items()}
        try:
            own = own_prompts.save_prompts(adapter, name, changed)
        except UserError as error:
            dialog.set_trouble(error.words_in_window)
            return
        dialog.accept()
        saved(own.name)

    dialog.saved.connect(save)
    dialog.open()
    return dialog
