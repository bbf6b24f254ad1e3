"""The question whether people's recordings may go to a server on another machine, put before work on them begins."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from stepscope.app.gui.shell.confirm import confirmed
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.app.gui.shell.context import Context
    from stepscope.app.gui.shell.tasks import BackgroundTask
    from stepscope.app.services import recordings_consent
    from stepscope.core.sources.source import Source
    from stepscope.models.chat import consents
    from stepscope.models.chat.consents import ConsentNeededError
else:
    recordings_consent = lazy_module("stepscope.app.services.recordings_consent")
    consents = lazy_module("stepscope.models.chat.consents")

DETAIL = (
    "{data} holds people's recordings. Their screens and what was done on them go to {url}, which is another machine. "
    "Did the people who were recorded agree? You are asked once for this data and this server; Preferences ▸ Privacy "
    "lists the answer and takes it back."
)


def once_agreed(context: Context, source: Source, models: Iterable[str], go_on: Callable[[], object]) -> BackgroundTask:
    """Look up whether these models or judges may have the data, ask the person where it is not known yet, and go on
    where they agree."""
    names = tuple(dict.fromkeys(models))

    def arrived(needed: tuple[ConsentNeededError, ...]) -> None:
        if not needed:
            go_on()
        else:
            ask_to_send(context, needed, go_on)

    return context.start(
        "whether recordings may be sent", lambda _token: recordings_consent.needed(source, names), arrived
    )


def ask_to_send(context: Context, needed: Sequence[ConsentNeededError], go_on: Callable[[], object]) -> None:
    """Ask the person about each, and go on where they agree to all."""
    if all(_agrees(context, one) for one in needed):
        _keep(context, needed, go_on)


def _agrees(context: Context, needed: ConsentNeededError) -> bool:
    server = needed.server
    return confirmed(
        context.dialog_parent,
        f"Send these recordings to {server.name}?",
        DETAIL.format(data=needed.data, url=server.url),
        "Agree and Send",
        "Send Nothing",
        title="People's recordings",
        destructive=False,
    )


def _keep(context: Context, needed: Sequence[ConsentNeededError], go_on: Callable[[], object]) -> None:
    def keep(_token: object) -> None:
        for one in needed:
            consents.give(one.data, one.server)

    context.start("keep what was agreed", keep, lambda _none: go_on(), lane="writer")
