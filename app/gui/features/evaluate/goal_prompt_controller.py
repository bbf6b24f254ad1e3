"""Evaluate ▸ Goal Identification ▸ Prompt: the words are changed beside what is sent of the episode that is open."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.ports import Library
from stepscope.core.domain.model_name import split_name, with_settings
from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.widgets.evaluate.goal_prompt_dialog import GoalPromptDialog
from stepscope.widgets.evaluate.messages_preview import PreviewPart

if TYPE_CHECKING:
    from stepscope.app.services import goal_preview
    from stepscope.app.services.goal_preview import GoalPreview
    from stepscope.core.domain.episode import Episode
    from stepscope.core.sources.source import Source
    from stepscope.models.chat import redaction_rules
    from stepscope.models.chat.redaction_rules import RedactionRule
    from stepscope.models.goal import prompts
    from stepscope.models.goal.asking import GoalSettings
else:
    goal_preview = lazy_module("stepscope.app.services.goal_preview")
    prompts = lazy_module("stepscope.models.goal.prompts")
    redaction_rules = lazy_module("stepscope.models.chat.redaction_rules")

SHOWN = 420
"""Longest side of a picture of the preview, in pixels: large enough to point at what it shows."""
SETTING = "prompt"
Saved = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class _PreviewState:
    """What is sent as the dialog shows it, or why it cannot be told. `episode` is whose it is, `screens` as of
    `GoalPreview`."""

    title: str
    messages: tuple[PreviewPart, ...] = ()
    size: str = ""
    trouble: str = ""
    episode: Episode | None = None
    screens: tuple[int | None, ...] = ()


class GoalPromptController(QObject):
    """One dialog at a time over the form."""

    def __init__(self, context: Context, library: Library, parent: QObject | None = None) -> None:
        super().__init__(parent or context)
        self._context, self._library = context, library
        self.dialog: GoalPromptDialog | None = None
        self._asked = 0
        self._shown = _PreviewState("")
        self._rules: list[RedactionRule] = []

    def open(self, model: str, over: QWidget, saved: Saved) -> None:
        """The prompt that the model of this name is asked in; `saved` gets the name with the prompt that its words have
        become."""
        try:
            settings = goal_preview.settings_of_model(model)
        except UserError as error:
            self._context.messages.failure(error)
            return
        prompt = settings.prompt
        dialog = GoalPromptDialog(
            prompt.title, prompt.version, prompts.words_of(prompt), prompts.own_name(prompt), over
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.changed.connect(lambda words: self._show(settings, words))
        dialog.saved.connect(lambda name, words: self._save(settings, model, name, words, saved))
        dialog.redacted.connect(lambda picture, x, y: self._redact(settings, picture, (x, y)))
        dialog.restored.connect(lambda: self._send_again(settings))
        dialog.finished.connect(self._closed)
        self.dialog = dialog
        dialog.open()

    def _closed(self) -> None:
        self.dialog = None
        self._asked += 1  # a preview that is on its way is for nobody
        self._shown, self._rules = _PreviewState(""), []

    def _show(self, settings: GoalSettings, words: Mapping[str, str]) -> None:
        source, episode = self._context.selection.source, self._context.selection.episode
        if self.dialog is None:
            return
        if source is None or (episode is None and not self._library.ids):
            self.dialog.set_preview("Nothing is open: open data to see what is sent.", (), "")
            return
        self._asked += 1
        asked, first = self._asked, "" if episode is not None else self._library.ids[0]
        self._context.start(
            "what is sent",
            lambda _token: shown(source.source, episode, first, settings, words),
            lambda found: self._take(asked, found),
        )

    def _take(self, asked: int, found: _PreviewState) -> None:
        if self.dialog is None or asked != self._asked:
            return
        self.dialog.set_trouble(found.trouble)
        if not found.trouble:
            self._shown = found
            self.dialog.set_preview(found.title, found.messages, found.size)

    # What is never sent ----------------------------------------------------------------------------------------------

    def _redact(self, settings: GoalSettings, picture: int, share: tuple[float, float]) -> None:
        """Keep back, from now on and everywhere, the element that is pointed at."""
        episode, screens = self._shown.episode, self._shown.screens
        place = screens[picture] if picture < len(screens) else None
        if episode is None or place is None:
            self._tell("This is a picture of the prompt's example: it shows nobody's data.")
            return

        def keep(_token: object) -> RedactionRule:
            rule = goal_preview.rule_at(episode, settings, place, share)
            redaction_rules.add(rule)
            return rule

        def kept(rule: RedactionRule) -> None:
            self._rules.append(rule)
            self._renew(settings)

        self._context.start("never send an element", keep, kept, failed=self._failed, lane="writer")

    def _send_again(self, settings: GoalSettings) -> None:
        """Forget the rule that was made here last."""
        if not self._rules:
            return
        rule = self._rules.pop()
        self._context.start(
            "send an element again", lambda _token: redaction_rules.remove(rule.name),
            lambda _rule: self._renew(settings), failed=self._failed, lane="writer",
        )  # fmt: skip

    def _renew(self, settings: GoalSettings) -> None:
        if self.dialog is not None:
            self.dialog.set_redacted(self._rules[-1].words if self._rules else "")
            self._show(settings, self.dialog.words())

    def _failed(self, error: Exception) -> None:
        if isinstance(error, UserError):
            self._tell(error.words_in_window)
        else:
            self._context.messages.failure(error)

    def _tell(self, words: str) -> None:
        if self.dialog is not None:
            self.dialog.set_trouble(words)

    def _save(self, settings: GoalSettings, model: str, name: str, words: Mapping[str, str], saved: Saved) -> None:
        assert self.dialog is not None
        try:
            kept = prompts.save_prompt(settings.prompt, name, words)
        except UserError as error:
            self.dialog.set_trouble(error.words_in_window)
            return
        self.dialog.accept()
        plain, given = split_name(model)
        saved(with_settings(plain, given | {SETTING: kept.name}))
        self._context.messages.done(f"Saved as prompt “{kept.name}”, version {kept.version}.")


def shown(
    source: Source, episode: Episode | None, first: str, settings: GoalSettings, words: Mapping[str, str]
) -> _PreviewState:
    """What is sent with these words of the episode, else of the `first`."""
    try:
        whole = episode or source.read(first)
        found = goal_preview.preview(whole, settings, words=words)
    except UserError as error:
        return _PreviewState("", trouble=error.words_in_window)
    if found.why:
        return _PreviewState(f"Of {found.episode} nothing is sent. {found.why}")
    title = f"What is sent of {found.episode}"
    return _PreviewState(title, _messages(found), _size(found), episode=whole, screens=found.screens)


def _messages(found: GoalPreview) -> tuple[PreviewPart, ...]:
    return tuple(
        PreviewPart(one.role, tuple(part if isinstance(part, str) else _small(part) for part in one.parts))
        for one in found.messages
    )


def _small(file: bytes) -> QImage:
    side, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
    return QImage.fromData(file).scaled(SHOWN, SHOWN, side, smooth)


def _size(found: GoalPreview) -> str:
    size = found.size
    return f"{size.pictures} pictures, {size.letters:,} letters: about {size.tokens:,} tokens. Prompt {found.prompt}."
