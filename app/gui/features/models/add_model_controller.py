"""The page of a model. A new one, in a file, in a folder or behind a server: looked at, asked about, tried, added;
nothing is kept before that. One that is there: looked at, tried, changed, removed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6 import QtWidgets
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from stepscope.app.gui.shell.confirm import confirmed
from stepscope.app.gui.shell.context import Context
from stepscope.core.domain.model_name import TASK_MARK
from stepscope.core.domain.prediction import Task
from stepscope.core.errors import UserError
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken

if TYPE_CHECKING:
    from stepscope.app.gui.features.models import (
        adding_presenter,
        checkpoint_draft,
        kept_models,
        prompt_editing,
        server_draft,
    )
    from stepscope.app.gui.features.models.checkpoint_draft import CheckpointDraft
    from stepscope.app.gui.features.models.server_draft import ServerDraft
    from stepscope.app.gui.shell.tasks import BackgroundTask
    from stepscope.app.services import adding_models, agent_trials, model_trials, own_models, worker
    from stepscope.app.services.adding_models import ModelDraft
    from stepscope.app.services.agent_trials import AgentTrial
    from stepscope.app.services.model_trials import ModelTrial
    from stepscope.app.services.worker import AnyJob
    from stepscope.models.chat import servers
    from stepscope.models.checkpoints import facts
    from stepscope.models.learned import card
    from stepscope.widgets.models import adding
    from stepscope.widgets.models.adding import AddModelPage, AddModelState, PromptDialog
else:
    adding_presenter = lazy_module("stepscope.app.gui.features.models.adding_presenter")
    checkpoint_draft = lazy_module("stepscope.app.gui.features.models.checkpoint_draft")
    prompt_editing = lazy_module("stepscope.app.gui.features.models.prompt_editing")
    kept_models = lazy_module("stepscope.app.gui.features.models.kept_models")
    server_draft = lazy_module("stepscope.app.gui.features.models.server_draft")
    adding_models = lazy_module("stepscope.app.services.adding_models")
    agent_trials = lazy_module("stepscope.app.services.agent_trials")
    model_trials = lazy_module("stepscope.app.services.model_trials")
    own_models = lazy_module("stepscope.app.services.own_models")
    worker = lazy_module("stepscope.app.services.worker")
    card = lazy_module("stepscope.models.learned.card")
    servers = lazy_module("stepscope.models.chat.servers")
    facts = lazy_module("stepscope.models.checkpoints.facts")
    adding = lazy_module("stepscope.widgets.models.adding")

WIDTH, HEIGHT = 1240, 820
SAMPLE = ""
"""The value of the choice of data that stands for the sample."""

CONFIG = "config.json"
SHOWN_WORDS = 400
"""Letters of an answer that are shown while it is written: its end."""


@dataclass
class _Subject:
    """What a page is about: a `draft` of a file, a folder that was `trained`, or an `agent` that is asked in words;
    `state` where nothing of it can be changed. `tried` is the draft that has answered."""

    draft: ModelDraft | None = None
    trained: Path | None = None
    agent: CheckpointDraft | ServerDraft | None = None
    state: AddModelState | None = None
    answers: dict[str, str] = field(default_factory=dict)
    tried: ModelDraft | None = None


class _PageDialog(QDialog):
    """Asks before it closes."""

    def __init__(self, parent: QWidget, may_close: Callable[[], bool]) -> None:
        super().__init__(parent)
        self._may_close = may_close

    def reject(self) -> None:
        if self._may_close():
            super().reject()


Ask = Callable[["AnyJob", CancelToken], Any]
Listen = Callable[["AnyJob", CancelToken, Callable[[str], object]], Any]


class AddModelController(QObject):
    """`added` and `evaluate_requested` carry a name; `changed` fires when there is a model more, less or another."""

    changed = Signal()
    added = Signal(str)
    evaluate_requested = Signal(str)
    _heard = Signal(str)
    """a piece of the answer of a checkpoint that is being tried, from the thread that listens"""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._context = context
        self._page: AddModelPage | None = None
        self._name = ""  # of the model whose page is shown, "" of the new one
        self._subject = _Subject()
        self._others: dict[str, _Subject] = {}  # by their names, while the window is open
        self._words = ""  # of the answer that is being written
        self._task: BackgroundTask | None = None
        self.prompt_dialog: PromptDialog | None = None
        self._skip, self._data, self._goal, self._then_add = 0, SAMPLE, "", False
        self.ask: Ask = _ask
        self.listen: Listen = _listen
        self._heard.connect(self._hear)

    def show(self, name: str = "") -> None:
        """The page of this model, else of a new one, in a window of its own, beside which one can go on working."""
        if self._page is None:
            self._open()
        assert self._page is not None
        self._page.window().show()
        self._page.window().raise_()
        (self._page.models if name else self._page.path).setFocus()
        self.choose(name)
        self._list_models()

    # Which model -----------------------------------------------------------------------------------------------------

    def choose(self, name: str) -> None:
        """Show this model's page, "" for that of the new one; what was said on the page before waits there."""
        if name == self._name:
            return
        self._give_up()
        self._others[self._name] = self._subject
        self._name, self._skip = name, 0
        self._begin(self._others.pop(name, None))

    def _begin(self, subject: _Subject | None) -> None:
        """Show what is known of the chosen model; None: look it up anew."""
        self._subject = subject or _Subject()
        if self._page is None:
            return
        self._page.trial.set_trial(None)
        self._renew()
        if subject is None and self._name:
            self._look_up(self._name)

    def _look_up(self, name: str) -> None:
        subject = self._subject

        def found(one: CheckpointDraft | ServerDraft | AddModelState) -> None:
            if self._subject is not subject:
                return
            if isinstance(one, server_draft.ServerDraft):
                self._ask_server(one)
            elif isinstance(one, checkpoint_draft.CheckpointDraft):
                subject.agent = one
            else:
                subject.state = one
            self._renew()

        self._context.start("model", lambda _token: kept_models.page_of(name), found)

    def remove(self) -> None:
        """Take the model away, once that was confirmed."""
        name, page = self._name, self._page
        if page is None or not confirmed(page, f"Remove the model {name}?", self._state.removal, "Remove"):
            return

        def gone(_nothing: object) -> None:
            self._context.messages.done(f"Removed {name}.")
            self._others.pop(name, None)
            if self._name == name:
                self._name = ""
                self._begin(self._others.pop("", None))
            self._list_models()
            self.changed.emit()

        self._context.start("remove model", lambda _token: kept_models.take_away(name), gone)

    def may_close(self) -> bool:
        """Whether nothing would be lost, or the person says so."""
        there = {**self._others, self._name: self._subject}
        changed = [name for name, one in there.items() if name and one.agent is not None and one.agent.is_changed]
        if not changed or self._page is None:
            return True
        detail = "What you changed on this page is not saved yet."
        return confirmed(self._page, f"Close without saving {' and '.join(changed)}?", detail, "Close")

    # Where it is -----------------------------------------------------------------------------------------------------

    def look(self, path: str) -> None:
        """Look at what is at the path, in a process of its own."""
        page = self._page
        if page is None:
            return
        self._give_up()
        self._subject, self._skip = _Subject(), 0
        page.set_state(adding.AddModelState(path))
        page.trial.set_trial(None)
        if not path:
            return
        if servers.is_url(path):
            self._look_at_server(path)
            return
        place = Path(path).expanduser()
        if (place / card.CARD).is_file():
            self._look_at_trained(place)
            return
        if (place / CONFIG).is_file():
            self._look_at_checkpoint(place)
            return
        self._look_at_file(path, page)

    def _look_at_file(self, path: str, page: AddModelPage) -> None:
        subject = self._subject

        def found(draft: ModelDraft | None) -> None:
            page.trial.set_trial(None)
            if draft is not None:
                subject.draft = draft
                self._renew()

        def failed(error: Exception) -> None:
            page.trial.set_trial(None)
            self._trouble(error, lambda words: page.set_state(adding.AddModelState(path, trouble=words)))

        job = worker.ModelLookJob(Path(path))
        self._start("looking at the model", lambda token: self.ask(job, token), "Looking at the file …", found, failed)

    def _look_at_checkpoint(self, folder: Path) -> None:
        """A folder of transformers: an image-text-to-text model is asked in words, any other is looked at as a file."""

        def look(_token: object) -> CheckpointDraft | None:
            return checkpoint_draft.CheckpointDraft.of(folder) if facts.is_checkpoint(folder) else None

        subject = self._subject

        def found(draft: CheckpointDraft | None) -> None:
            page = self._page
            if page is None or self._subject is not subject:
                return
            if draft is None:
                self._look_at_file(str(folder), page)
                return
            subject.agent = draft
            self._renew()

        def failed(error: Exception) -> None:
            if (page := self._page) is not None and self._subject is subject:
                self._trouble(error, lambda words: page.set_state(adding.AddModelState(str(folder), trouble=words)))

        self._context.start("checkpoint", look, found, failed=failed)

    def _look_at_server(self, url: str) -> None:
        """The URL of a server: it is asked which models it has."""
        page = self._page
        assert page is not None
        try:
            draft = server_draft.ServerDraft.of(url)
        except UserError as error:
            self._trouble(error, lambda words: page.set_state(adding.AddModelState(url, trouble=words)))
            return
        self._ask_server(draft)

    def _ask_server(self, draft: ServerDraft) -> None:
        """Show the draft, and once more with what the server says of itself."""
        page, subject = self._page, self._subject
        subject.agent = draft
        if page is None:
            return
        self._renew()

        def found(asked: ServerDraft) -> None:
            now = subject.agent
            if isinstance(now, server_draft.ServerDraft) and now.url == asked.url:  # more may have been said meanwhile
                subject.agent = now.told(asked)
                self._renew()

        self._start(
            "asking the server",
            draft.asked,
            "Asking the server which models it has …",
            found,
            lambda error: self._trouble(error, page.trial.set_trouble),
        )

    def _answer_of_agent(self, draft: CheckpointDraft | ServerDraft, field: str, value: str) -> None:
        try:
            said = self._subject.agent = draft.answered(field, value)
        except UserError as error:
            self._context.messages.failure(error)
            return
        if isinstance(said, server_draft.ServerDraft) and said.is_asked_after(field):
            self._ask_server(said)
        else:
            self._renew()

    def edit_prompt(self) -> None:
        """The words that the model is asked in, in a window beside the page; changed, they are an adapter of the
        person's own, which it speaks from then on."""
        agent = self._subject.agent
        if agent is None or self._page is None:
            return
        try:
            adapter = agent.adapter
        except UserError as error:
            self._context.messages.failure(error)
            return
        self.prompt_dialog = prompt_editing.edit_prompt(adapter, self._page, lambda own: self.answer("adapter", own))

    def _look_at_trained(self, folder: Path) -> None:
        subject = self._subject

        def found(one: Any) -> None:
            command = f"stepscope models add {folder}"
            subject.trained = folder
            subject.state = adding_presenter.trained_state(str(folder), one.name, one.task.value, command)
            if self._subject is subject:
                self._renew()

        self._context.start("card", lambda _token: card.read_card(folder), found)

    def answer(self, field: str, value: str) -> None:
        """Take over what the person says of a field."""
        subject = self._subject
        if subject.agent is not None:
            self._answer_of_agent(subject.agent, field, value)
            return
        if subject.draft is None or value == adding_presenter.AS_WRITTEN:
            return
        if field.endswith(".pair") and value == adding_presenter.NONE:
            value = ""
        try:
            subject.draft = adding_models.answered(subject.draft, {field: value})
        except UserError as error:
            self._context.messages.failure(error)
            return
        if field == "task":  # on which hangs what else the file tells
            subject.answers = {kept: subject.answers[kept] for kept in ("name",) if kept in subject.answers}
            if subject.answers:
                subject.draft = adding_models.answered(subject.draft, subject.answers)
        subject.answers[field] = value
        self._renew()

    def _renew(self) -> None:
        """Show the chosen model as it is now."""
        if self._page is not None:
            self._page.set_state(self._state)

    @property
    def _state(self) -> AddModelState:
        """The chosen model as its page shows it."""
        subject = self._subject
        if subject.agent is not None:
            return subject.agent.state()
        if subject.draft is not None:
            command = adding_models.command_line(subject.draft, subject.answers)
            return adding_presenter.state_of(subject.draft, command, can_add=True)
        return subject.state or adding.AddModelState(title=self._name)

    # Trying ----------------------------------------------------------------------------------------------------------

    def try_it(self) -> None:
        """Try the model as the page says it is."""
        subject, page = self._subject, self._page
        if page is None:
            return
        if subject.agent is not None:
            self._try_agent(subject.agent, page)
            return
        draft = subject.draft
        if draft is None:
            return
        try:
            manifest = adding_models.manifest_of(draft)
        except UserError as error:
            self._then_add = False
            self._trouble(error, page.trial.set_trouble)
            return
        data = Path(self._data) if self._data else None
        request = model_trials.TrialRequest(manifest, draft.facts.file.parent, data, skip=self._skip)

        def done(trial: ModelTrial | None) -> None:
            if trial is None:
                return
            page.trial.set_trial(adding_presenter.shown_trial(trial, model_trials.answer_words(trial.prediction)))
            subject.tried = draft if not trial.problem else None
            if self._then_add and draft is subject.draft:
                self._then_add = False
                self._add_after(trial.problem)

        def failed(error: Exception) -> None:
            add, self._then_add = self._then_add, False
            self._trouble(error, page.trial.set_trouble)
            if add and isinstance(error, UserError):
                self._add_after(error.words_in_window)

        job = worker.ModelTrialJob(request)
        self._start("trying the model", lambda token: self.ask(job, token), "Loading and asking it …", done, failed)

    def _try_agent(self, draft: CheckpointDraft | ServerDraft, page: AddModelPage) -> None:
        try:
            made = draft.subject
        except UserError as error:
            self._trouble(error, page.trial.set_trouble)
            return
        data = Path(self._data) if self._data else None
        job = worker.AgentTrialJob(agent_trials.AgentTrialRequest(made, data, skip=self._skip, goal=self._goal))
        self._words = ""

        def done(trial: AgentTrial | None) -> None:
            if trial is not None:
                page.trial.set_trial(adding_presenter.shown_agent_trial(trial))

        self._start(
            "trying the model",
            lambda token: self.listen(job, token, self._heard.emit),
            "Loading and asking it …",
            done,
            lambda error: self._trouble(error, page.trial.set_trouble),
        )

    def _hear(self, words: str) -> None:
        """A piece of an answer came: the end of what was said so far is shown while it is written."""
        self._words += words
        if self._page is not None and self._task is not None:
            self._page.trial.set_busy(self._words[-SHOWN_WORDS:])

    def try_other(self) -> None:
        """Try it on the next item of the data."""
        self._skip += 1
        self.try_it()

    def _choose_data(self, path: str) -> None:
        self._data, self._skip = path, 0
        self.try_it()

    def _take_goal(self, goal: str) -> None:
        self._goal = goal
        self.try_it()

    def stop(self) -> None:
        """End what goes on."""
        self._then_add = False
        if self._task is not None:
            self._task.cancel()

    # Adding ----------------------------------------------------------------------------------------------------------

    def add(self) -> None:
        """Keep the model: one that has not answered as it is now is tried first."""
        subject = self._subject
        if subject.agent is not None:
            self._keep_agent(subject.agent)
        elif subject.trained is not None:
            folder = subject.trained
            self._context.start("add model", lambda _token: own_models.take_in(folder).card.name, self._added)
        elif subject.draft is not None and subject.draft is subject.tried:
            self._keep(subject.draft)
        elif subject.draft is not None:
            self._then_add = True
            self.try_it()

    def _keep_agent(self, draft: CheckpointDraft | ServerDraft) -> None:
        """Nothing is loaded or asked for it: it may be added, or changed, untried."""
        before = self._name

        def done(name: str) -> None:
            if draft.kept is None:
                self._added(name)
            else:
                self._saved(before, name)

        def failed(error: Exception) -> None:
            if self._page is not None:
                self._trouble(error, self._page.trial.set_trouble)

        self._context.start("add model", lambda _token: draft.keep(), done, failed=failed)

    def _saved(self, before: str, name: str) -> None:
        """The page stays, and shows what is kept by now; a server is listed under another model than `before` where
        that was changed. Somebody may look at another page by now."""
        self._context.messages.done(f"Saved {name}.")
        self._others.pop(before, None)
        if self._name == before:
            self._name = name
            self._begin(None)
        self._list_models()
        self.changed.emit()

    def _add_after(self, problem: str) -> None:
        """Add what has just been tried; of one that does not answer only when the person wants it all the same."""
        draft = self._subject.draft
        over = self._page or self._context.dialog_parent
        if draft is None or (
            problem and not confirmed(over, "Add a model that does not answer?", problem, "Add it all the same")
        ):
            return
        self._keep(draft)

    def _keep(self, draft: ModelDraft) -> None:
        def failed(error: Exception) -> None:
            if self._page is not None:
                self._trouble(error, self._page.trial.set_trouble)

        self._context.start(
            "add model", lambda _token: adding_models.add(draft).manifest.name, self._added, failed=failed
        )

    def _added(self, name: str) -> None:
        self._context.messages.done(f"{name} is one of your own models now.")
        self._subject = _Subject()
        if self._page is not None:
            self._page.window().close()
        self.changed.emit()
        self.added.emit(name)

    # Parts -----------------------------------------------------------------------------------------------------------

    def _start(
        self,
        name: str,
        work: Callable[[CancelToken], Any],
        words: str,
        done: Callable[[Any], object],
        failed: Callable[[Exception], object],
    ) -> None:
        """Do it in the background; what comes back for a page, or a question, that is no longer there is dropped."""
        if self._task is not None:
            self._task.cancel()
        page = self._page
        if page is None:
            return
        page.trial.set_busy(words)
        task = self._context.start(name, work, failed=lambda _error: None, lane="trial")
        self._task = task

        def on(act: Callable[[Any], object]) -> Callable[[Any], None]:
            def do(value: Any) -> None:
                if self._task is task and self._page is page:
                    act(value)

            return do

        def over() -> None:
            if self._task is task:
                self._task = None
                if self._page is page:
                    page.trial.set_busy("")

        task.succeeded.connect(on(done))
        task.failed.connect(on(failed))
        task.finished.connect(over)

    def _trouble(self, error: Exception, tell: Callable[[str], object]) -> None:
        """Told where one is looking; what is no expected trouble goes to the message bar too."""
        if isinstance(error, UserError):
            tell(error.words_in_window)
        else:
            self._context.messages.failure(error)

    def _open(self) -> None:
        dialog = _PageDialog(self._context.dialog_parent, self.may_close)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle("Models")
        dialog.resize(WIDTH, HEIGHT)
        page = self._page = adding.AddModelPage(dialog)
        column = QVBoxLayout(dialog)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(page)
        dialog.finished.connect(self._closed)
        page.path_chosen.connect(self.look)
        page.file_wanted.connect(self._choose_file)
        page.folder_wanted.connect(self._choose_folder)
        page.answered.connect(self.answer)
        page.add_requested.connect(self.add)
        page.model_chosen.connect(self.choose)
        page.remove_requested.connect(self.remove)
        page.evaluate_requested.connect(self._evaluate)
        page.closed.connect(dialog.reject)
        page.prompt_wanted.connect(self.edit_prompt)
        page.trial.tried.connect(self.try_it)
        page.trial.other_item.connect(self.try_other)
        page.trial.stopped.connect(self.stop)
        page.trial.data_chosen.connect(self._choose_data)
        page.trial.goal_written.connect(self._take_goal)
        opened = {str(one.source.path): one.title for one in self._context.sources if not one.has_web_tasks}
        page.trial.set_data([(SAMPLE, "Sample"), *opened.items()], SAMPLE)

    def _closed(self) -> None:
        """Nothing of what was being added or changed stays."""
        self._give_up()
        self._page, self._name, self._subject, self._skip, self._goal = None, "", _Subject(), 0, ""
        self._others.clear()

    def _give_up(self) -> None:
        """End what goes on; nothing comes of it any more."""
        self.stop()
        self._task = None
        if self._page is not None:
            self._page.trial.set_busy("")

    def _evaluate(self) -> None:
        """Close the window for the form in which this model is evaluated."""
        name, page = self._name, self._page
        if self._subject.agent is not None:
            name += f"{TASK_MARK}{Task.AUTOMATION}"
        if page is not None and page.window().close():
            self.evaluate_requested.emit(name)

    def _choose_file(self) -> None:
        chosen, _ = QtWidgets.QFileDialog.getOpenFileName(
            self._page, "Model file", str(Path.home()), "Models (*.onnx *.pt *.ts *.torchscript);;All files (*)"
        )
        self._take_path(chosen)

    def _choose_folder(self) -> None:
        self._take_path(QtWidgets.QFileDialog.getExistingDirectory(self._page, "Folder of a model", str(Path.home())))

    def _take_path(self, path: str) -> None:
        if path:
            self.look(path)

    def _list_models(self) -> None:
        def look_up(_token: object) -> Any:
            from stepscope.models.registry import registry

            return adding_presenter.listed_models(registry())

        def take(models: Any) -> None:
            if self._page is not None:
                self._page.set_models(models, self._name)

        self._context.start("models", look_up, take)


def _ask(job: AnyJob, token: CancelToken) -> Any:
    """The one answer of the process in which models are tried; None where it was given up."""
    return next(iter([*worker.trying_worker().run(job, token)]), None)


def _listen(job: AnyJob, token: CancelToken, heard: Callable[[str], object]) -> Any:
    """The last answer of that process; those before it are words, and are told as they come."""
    last: Any = None
    for answer in worker.trying_worker().run(job, token):
        if isinstance(answer, str):
            heard(answer)
        else:
            last = answer
    return last
