"""Every task of a source opened once: which fields its page has, what it wanted from elsewhere, what is amiss."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import field

from stepscope.app.services.webtask.preview import PageProblem, page_problems
from stepscope.app.services.webtask.tasks import PageRead
from stepscope.core.domain.episode import EpisodeSummary
from stepscope.core.domain.webtask import WebTask
from stepscope.core.evaluation.runner import words_of
from stepscope.core.frozen import dataclass
from stepscope.core.progress import CancelToken
from stepscope.core.sources.source import Source, web_tasks_of
from stepscope.core.sources.web_template import fields_of
from stepscope.core.webtask.page import BlockedRequest
from stepscope.core.webtask.pool import PageBrowser, PagePool
from stepscope.core.webtask.rendering import render


@dataclass(frozen=True, slots=True)
class OpenedTask:
    """A task by its first instance. `missing` says of each answer field that the page does not have why; `error` is why
    the page could not be opened at all, "" when it could."""

    task: str
    instance: str
    splits: tuple[str, ...]
    instances: int
    fields: int
    found: int = 0
    missing: Mapping[str, str] = field(default_factory=dict)
    blocked: tuple[BlockedRequest, ...] = ()
    dialogs: tuple[str, ...] = ()
    problems: tuple[PageProblem, ...] = ()
    error: str = ""


@dataclass(frozen=True, slots=True)
class _PageRequest:
    instance: str
    place: str
    instances: int


def open_tasks(
    source: Source, *, processes: int = 0, allowed: Collection[str] = (), token: CancelToken | None = None
) -> Iterator[OpenedTask]:
    """Open the tasks in the order of the data, several at a time. A cancelled token ends it. Raises UsageError where
    there are no web tasks, UnavailableError without a browser engine."""
    token = token or CancelToken()
    web_tasks_of(source)
    pool = PagePool(processes, allowed=allowed)
    try:
        wanted = list(_tasks(source).values())
        found = pool.in_order(lambda browser, one: _opened(source, browser, one), wanted, token)
        for one, outcome in zip(wanted, found, strict=False):  # fewer where it was cancelled
            yield _broken(source, one, outcome) if isinstance(outcome, Exception) else outcome
    finally:
        pool.close()


def _tasks(source: Source) -> dict[str, _PageRequest]:
    """The first instance of each task, and how many there are."""
    found: dict[str, _PageRequest] = {}
    for row in source.scan():
        if isinstance(row, EpisodeSummary):
            name = row.app or ""
            first = found.get(name) or _PageRequest(row.id, row.place, 0)
            found[name] = _PageRequest(first.instance, first.place, first.instances + 1)
    return found


def _read(source: Source, one: _PageRequest) -> PageRead:
    pages = web_tasks_of(source)
    instance = pages.read_instance(one.instance, one.place)
    return PageRead(pages.read_task(instance.task), instance)


def _opened(source: Source, browser: PageBrowser, one: _PageRequest) -> OpenedTask:
    read = _read(source, one)
    task, instance = read.task, read.instance
    page = browser.open(render(task, instance.inputs))
    names = [field.name for field in task.fields]
    look = page.look(names)
    return OpenedTask(
        task=task.name,
        instance=instance.id,
        splits=task.splits,
        instances=one.instances,
        fields=len(names),
        found=len(look.fields),
        missing={name: why_missing(task, name) for name in look.missing},
        blocked=page.blocked,
        dialogs=page.dialogs,
        problems=page_problems(task, instance.inputs, page.look(), answered=bool(instance.answers)),
    )


def _broken(source: Source, one: _PageRequest, error: Exception) -> OpenedTask:
    try:
        task = _read(source, one).task
    except Exception:  # noqa: BLE001 - the same again: nothing is known of the task
        return OpenedTask(one.instance.rpartition("/")[0], one.instance, (), one.instances, 0, error=words_of(error))
    count = len(task.fields)
    return OpenedTask(task.name, one.instance, task.splits, one.instances, count, error=words_of(error))


def why_missing(task: WebTask, name: str) -> str:
    """Why the page does not have this field, as far as its template tells; one sentence."""
    if any(one.name == name for one in fields_of(task.template)):
        return "The template has it, and a script of the page has taken it away or has not put it in."
    if name in task.template:
        return "Only a script of the template names it, and has not made it."
    return "Nothing in the template has this name: its table is of another version, or a script makes the name up."
