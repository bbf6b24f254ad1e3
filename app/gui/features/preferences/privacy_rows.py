"""Preferences ▸ Privacy: what goes where, what is never sent, and what a person agreed to, as rows of its page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from stepscope.app.services import storage
from stepscope.app.services.storage import Destination
from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.models.chat import consents, privacy, redaction_rules
from stepscope.models.chat.consents import DataConsent
from stepscope.widgets.format import counted
from stepscope.widgets.preferences import SettingKind, SettingRow

ELSEWHERE, SENT, NEVER_SENT, CONSENT = "servers elsewhere", "what was sent", "never sent", "consent "
"""Names of rows; that of a consent has its number behind."""
MOST_SENT = 100_000
"""Requests that are counted."""
TO, FROM, AGREED = "Sent to", "Received from", "People's recordings"
_UNREADABLE = "cannot be read"


@dataclass(frozen=True, slots=True)
class PrivacyState:
    """`sent` requests so far; `rules` of what is never sent and `agreed` are None where their file cannot be read, and
    `trouble` says why."""

    destinations: tuple[Destination, ...]
    only_here: bool
    sent: int
    rules: int | None
    agreed: tuple[DataConsent, ...] | None
    trouble: str = ""


def privacy_state(store: str, devices: Sequence[str]) -> PrivacyState:
    """As things are now. Raises UserError when the list of servers is unreadable."""
    trouble, rules, agreed = "", None, None
    try:
        rules = len(redaction_rules.load())
    except UserError as error:
        trouble = str(error)
    try:
        agreed = consents.load()
    except UserError as error:
        trouble = str(error)
    return PrivacyState(
        tuple(storage.destinations(store, devices)), privacy.only_here(), len(privacy.sent_requests(MOST_SENT)), rules,
        agreed, trouble,
    )  # fmt: skip


def privacy_rows(state: PrivacyState) -> list[SettingRow]:
    """The page's rows."""
    where = {True: "this machine", False: "another machine"}
    sent = [
        fact_row(f"host {number}", one.host, one.what, where[one.is_here], group=TO)
        for number, one in enumerate(state.destinations)
    ]
    if not sent:
        none = "No chat server, no store on a server, no phone on the network."
        sent = [fact_row("nobody", "Nobody", none, group=TO)]
    return [
        *sent,
        fact_row(
            ELSEWHERE,
            "Servers elsewhere",
            "Whether models on other machines may be asked, by this window and by commands. Servers on this machine "
            "always may.",
            "refused" if state.only_here else "asked",
            "Allow" if state.only_here else "Refuse",
            TO,
        ),
        fact_row(
            NEVER_SENT,
            "Never sent",
            "Elements that are painted over and whose words are left out, as password fields are.",
            _UNREADABLE if state.rules is None else counted(state.rules, "rule"),
            "Show Rules…",
            TO,
        ),
        fact_row(
            SENT,
            "What was sent",
            f"Every request to a server: when, to whom, how much. {privacy.log_file()}",
            counted(state.sent, "request"),
            "Show Folder",
            TO,
        ),
        *_consent_rows(state),
        fact_row("updates", "Updates", "Are never looked for. A new version is installed by you.", "none", group=FROM),
        fact_row("weights", "Models", "Are never downloaded: weights are files that you put here.", "none", group=FROM),
    ]


def _consent_rows(state: PrivacyState) -> list[SettingRow]:
    if state.agreed is None:
        return [fact_row("no consents", "What you agreed to", state.trouble, _UNREADABLE, group=AGREED)]
    if not state.agreed:
        about = "Before recordings first go to a server on another machine you are asked, once for each data set."
        return [fact_row("no consents", "Nothing is agreed", about, "none", group=AGREED)]
    return [
        fact_row(
            f"{CONSENT}{number}",
            f"{Path(one.data).name} to {one.server}",
            f"{one.data} may go to {one.url}, by your word of {one.given[:10]}.",
            "agreed",
            "Withdraw",
            AGREED,
        )
        for number, one in enumerate(state.agreed)
    ]


def fact_row(name: str, words: str, about: str, value: str = "", action: str = "", group: str = "") -> SettingRow:
    """A row that tells something; `action` is the word on its button, "" for none."""
    return SettingRow(name, group, words, about, SettingKind.FACT, value, action=action)
