"""A model behind a server on its way in, or kept and being changed: what the server tells, what the person says, and
the page of both."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING

from stepscope.app.gui.features.models.adapter_words import adapter_rows
from stepscope.app.gui.features.models.removal import KEY_GOES
from stepscope.core.domain.model_name import SERVED
from stepscope.core.errors import UsageError, UserError
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken
from stepscope.widgets.format import counted
from stepscope.widgets.models.adding import AddModelState, FoundModel, ManifestGroup, ManifestRow

if TYPE_CHECKING:
    from stepscope.app.services import agent_trials
    from stepscope.app.services.agent_trials import NewServer
    from stepscope.models.agents import adapter as adapters
    from stepscope.models.agents.adapter import Adapter
    from stepscope.models.chat import client, keys, servers
    from stepscope.models.chat.servers import ChatServer
else:
    agent_trials = lazy_module("stepscope.app.services.agent_trials")
    adapters = lazy_module("stepscope.models.agents.adapter")
    client = lazy_module("stepscope.models.chat.client")
    keys = lazy_module("stepscope.models.chat.keys")
    servers = lazy_module("stepscope.models.chat.servers")

_OPTIONS = {"name": "--name", "model": "--model", "adapter": "--adapter", "timeout": "--timeout",
            "parallel": "--parallel"}  # fmt: skip
_OF_SERVER = ("name", "model", "adapter", "timeout", "parallel", "pictures")
_USUAL = {"model": "", "key": "", "timeout": "120", "parallel": "4", "pictures": "yes"}
_NO_MODEL = "Say which model is meant."
_BY_HAND = "?"
"""The choice of a model that the server does not list."""
_IN_THE_CLEAR = "What is sent to it can be read on the way: its URL is plain http to another machine."


@dataclass(frozen=True, slots=True)
class ServerDraft:
    """`url` as it was written; `known` are the models that the server lists, `trouble` why it lists none. `given` is
    what the person says, by field; the key is in it until the server is added, and is never shown. `kept` is the server
    that is changed, None for a new one, and `key_place` where its key is, "" where it has none."""

    url: str
    known: tuple[str, ...] = ()
    trouble: str = ""
    given: Mapping[str, str] = field(default_factory=dict, repr=False)
    kept: ChatServer | None = None
    key_place: str = ""

    @classmethod
    def of(cls, url: str) -> ServerDraft:
        """Raises UsageError for a URL that cannot be."""
        servers.ChatServer("server", url)
        return cls(url)

    @classmethod
    def of_kept(cls, kept: ChatServer) -> ServerDraft:
        """The keyring is asked where the key is."""
        place = keys.place(kept.name)
        return cls(kept.url, kept=kept, key_place="" if place == "none" else place)

    def asked(self, token: CancelToken) -> ServerDraft:
        """The draft with what the server says of itself now. Raises UsageError for a name or number that cannot be."""
        try:
            found = client.check(self._server, key=self._key, token=token)
        except client.Cancelled:
            return self
        except UsageError:
            raise
        except UserError as error:
            return replace(self, known=(), trouble=error.words_in_window)
        return replace(self, known=found.models, trouble="")

    def told(self, asked: ServerDraft) -> ServerDraft:
        """The draft with what the server said when it was asked."""
        return replace(self, known=asked.known, trouble=asked.trouble)

    def answered(self, field: str, value: str) -> ServerDraft:
        """The draft with this said."""
        given = {**self.given, field: value}
        if field == "model" and value == _BY_HAND:
            given |= {"model": "", "by_hand": "yes"}
        return replace(self, given=given)

    def is_asked_after(self, field: str) -> bool:
        """Whether the server may say more of itself now that this was said. A name may have a key in the
        environment."""
        return field == "key" or (field in ("name", "timeout") and not self.known)

    @property
    def subject(self) -> NewServer:
        """What is tried. Raises UsageError for what cannot be, and where no model is named."""
        if not self._value("model"):
            raise UsageError(_NO_MODEL)
        return agent_trials.NewServer(self._server, self._value("model"), self._key)

    def keep(self) -> str:
        """Add the server, or change the one that is kept, and its key in the keyring; gives the name of the model.
        Raises as `subject`, and for a name that is in use or a keyring that refuses."""
        found = self.subject
        servers.add(found.server, replace=self.kept is not None)
        if key := self._value("key"):
            try:
                keys.set(found.server.name, key)
            except UserError:  # both or neither
                if self.kept is None:
                    servers.remove(found.server.name)
                else:
                    servers.add(self.kept, replace=True)
                raise
        return f"{SERVED}{found.server.name}/{found.model}"

    @property
    def is_changed(self) -> bool:
        """Whether anything is other than it is kept."""
        return any(value != self._usual(name) for name, value in self.given.items() if name != "by_hand")

    @property
    def adapter(self) -> Adapter:
        """Raises UsageError for one that there is not."""
        return adapters.adapter_named(self._value("adapter"))

    def state(self) -> AddModelState:
        """Its page."""
        known, _ = adapters.adapters()
        adapter = known.get(self._value("adapter"))
        model = self._value("model")
        facts = adapter_rows(adapter) if adapter is not None else ()
        speaks = ManifestGroup("", "", (self._choice("adapter", "Adapter", tuple(known)), *facts))
        name = () if self.kept else (self._row("name", "Name", "Called served:NAME from then on"),)
        key = "Kept in the system's keyring and nowhere else; empty for none"
        if self.key_place:
            key = f"Its key is kept ({self.key_place}); another that is written here takes its place"
        return AddModelState(
            self.url,
            self._found(),
            trouble=self.trouble,
            where=(
                *name,
                self._model_row(),
                self._row("key", "Key", key, secret=True),
            ),
            speaks=(speaks,) if model else (),
            runs=(
                self._row("timeout", "Time-out", "Seconds for one answer"),
                self._row("parallel", "At once", "Requests that are sent side by side"),
                self._choice("pictures", "Pictures", ("yes", "no"), "no: the model reads text only"),
            ),
            missing="" if model else _NO_MODEL,
            command=self.command,
            can_try=bool(model),
            can_add=bool(model) and (self.kept is None or self.is_changed),
            has_prompt=bool(model) and adapter is not None and adapter.has_prompt,
            title=name_of_server(self.kept) if self.kept else "",
            removal=KEY_GOES if self.kept else "",
        )

    @property
    def command(self) -> str:
        """The equal command line; the key is asked for there."""
        words = ["stepscope", "models", "add", self.url]
        for name, option in _OPTIONS.items():
            if self._value(name) != self._guessed(name) or (name == "model" and self._value(name)):
                words += [option, self._value(name)]
        words += ["--text-only"] if self._value("pictures") == "no" else []
        words += ["--key"] if self._value("key") else []
        return shlex.join([*words, *(["--replace"] if self.kept else [])])

    @property
    def _server(self) -> ChatServer:
        adapter = self.given.get("adapter", self.kept.adapter if self.kept else "")
        return servers.ChatServer(
            self._value("name"),
            self.url,
            self._value("model"),
            self._number("timeout", float),
            int(self._number("parallel", int)),
            self._value("pictures") == "yes",
            adapter,
        )

    @property
    def _key(self) -> str | None:
        """None: the one that is kept for this server. That of another server of a new one's name is not sent: only what
        was written here, or the environment says."""
        written = self._value("key").strip()
        if self.kept is not None:
            return written or None
        return written or keys.of_environment(self._value("name"))

    def _number(self, name: str, kind: Callable[[str], float]) -> float:
        try:
            return kind(self._value(name))
        except ValueError:
            raise UsageError(f"{self._value(name)!r} is no number.", hint=f"Such as {_USUAL[name]}.") from None

    def _found(self) -> FoundModel:
        checks = ["nothing but its key is sent with a question"]
        if self.known:
            checks.insert(0, f"answers, and has {counted(len(self.known), 'model')}")
        try:
            clear = self._server.in_the_clear
        except UsageError:
            clear = False
        return FoundModel("Server", _IN_THE_CLEAR if clear else "as OpenAI's", tuple(checks))

    def _model_row(self) -> ManifestRow:
        named = self._value("model")
        if self.known and "by_hand" not in self.given:
            others = () if named in ("", *self.known) else ((named, named),)
            listed = tuple((one, one) for one in self.known)
            return ManifestRow("model", "Model", named, (*listed, *others, (_BY_HAND, "Another …")))
        return self._row("model", "Model", "What the server calls it")

    def _value(self, name: str) -> str:
        return self.given.get(name, self._usual(name))

    def _usual(self, name: str) -> str:
        """As it is kept; else what the server lets guess."""
        kept = self.kept
        if kept is None or name not in _OF_SERVER or (name == "adapter" and not kept.adapter):
            return self._guessed(name)
        if name == "pictures":
            return "yes" if kept.pictures else "no"
        return f"{kept.timeout:g}" if name == "timeout" else str(getattr(kept, name))

    def _guessed(self, name: str) -> str:
        if name == "name":
            return servers.name_of(self.url)
        if name == "model":
            return self.known[0] if len(self.known) == 1 else ""
        if name == "adapter":
            return adapters.adapter_for(self._value("model"), adapters.adapters()[0])
        return _USUAL[name]

    def _row(self, name: str, words: str, tip: str, *, secret: bool = False) -> ManifestRow:
        return ManifestRow(name, words, self._value(name), tip=tip, secret=secret)

    def _choice(self, name: str, words: str, choices: tuple[str, ...], tip: str = "") -> ManifestRow:
        return ManifestRow(name, words, self._value(name), tuple((one, one) for one in choices), tip=tip)


def name_of_server(server: ChatServer) -> str:
    """The name of the model behind it, or of the server where none is chosen."""
    return f"{SERVED}{server.name}" + (f"/{server.model}" if server.model else "")
