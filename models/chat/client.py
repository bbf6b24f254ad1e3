"""Asking a server: several requests at once, bounded retries, and an end within a second when the run is cancelled.

The library `openai` speaks to any server that speaks as OpenAI's does. Nothing but the question and this server's key
is sent: no other variable of the environment that the library reads, nothing about this machine, and never to another
address that a server points to.
"""

from __future__ import annotations

import asyncio
import email.utils
import json
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from stepscope.core.domain.model_call import CallAttempt, ModelCall
from stepscope.core.errors import SourceError, UnavailableError, UserError
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.core.limits import hint as limit_hint
from stepscope.core.limits import limit
from stepscope.core.progress import CancelToken
from stepscope.models.chat import answers, keys, privacy
from stepscope.models.chat.answers import ChatAnswer
from stepscope.models.chat.bounded_http import bounded_client
from stepscope.models.chat.calls import model_call
from stepscope.models.chat.secret import without_key
from stepscope.models.chat.servers import ChatServer

if TYPE_CHECKING:
    import openai
    from openai import APIStatusError, AsyncOpenAI
else:
    openai = lazy_module("openai")

ATTEMPTS = 5
FIRST_WAIT, LONGEST_WAIT, LONGEST_ASKED = 1.0, 30.0, 120.0
"""Seconds: the first wait, the longest by doubling, and the longest that a server may ask for (Retry-After)."""
_POLL = 0.1
_LATER = frozenset((408, 409, 425, 429))
_REFUSING = frozenset((401, 403))
_RAW = "x-stainless-raw-response"
"""A header by which the library itself tells what it is to give back."""
_SENT = frozenset(("host", "connection", "accept", "content-type", "content-length", _RAW))
_OPTIONAL = ("temperature", "max_tokens")
"""Fields that some models will not have; left out where a server names them in its complaint."""

Body = Mapping[str, Any]
T = TypeVar("T")


class ServerError(UserError):
    """The server gave no response that could be used; `lasting`: it will not give one to the next request either;
    `too_long`: the question has more tokens than the model takes in. `call` is what was sent, None where nothing
    was."""

    def __init__(self, message: str, *, hint: str = "", lasting: bool = False, too_long: bool = False) -> None:
        super().__init__(message, hint=hint)
        self.lasting, self.too_long = lasting, too_long
        self.call: ModelCall | None = None


class Cancelled(Exception):  # noqa: N818 - nothing went wrong
    """The run was cancelled while a request was on its way."""


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """The way to wait between attempts; tests put in a clock of their own."""

    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    now: Callable[[], float] = time.time
    rng: random.Random = field(default_factory=random.Random)
    attempts: int = ATTEMPTS

    def seconds(self, attempt: int, asked: float | None) -> float:
        """Seconds before the next attempt: what the server asks for, else doubling, spread by half either way."""
        if asked is not None:
            return asked
        return float(min(LONGEST_WAIT, FIRST_WAIT * 2**attempt) * self.rng.uniform(0.5, 1.5))


@dataclass(frozen=True, slots=True)
class ServerInfo:
    """A server's description of itself: the models it has (none where it does not list them), and seconds it took."""

    models: tuple[str, ...]
    seconds: float


def ask(
    server: ChatServer,
    bodies: Sequence[Body],
    *,
    key: str | None = None,
    token: CancelToken | None = None,
    patience: RetryPolicy | None = None,
) -> list[ChatAnswer | ServerError]:
    """The answer to each request, in order, `server.parallel` at once; where there is none, why.

    After an error that lasts (a refused key, a machine that may not be asked), what is left is not asked. Raises
    Cancelled, UnavailableError without the library.
    """
    if refused := privacy.refusal(server):
        return [ServerError(refused, hint=privacy.HINT, lasting=True) for _ in bodies]
    return asyncio.run(_asked(server, bodies, key, token or CancelToken(), patience or RetryPolicy()))


def check(server: ChatServer, *, key: str | None = None, token: CancelToken | None = None) -> ServerInfo:
    """Ask the server which models it has, once; `key` None: the one that is kept. Raises ServerError with what is
    wrong, Cancelled, UnavailableError without the library."""
    if refused := privacy.refusal(server):
        raise ServerError(refused, hint=privacy.HINT, lasting=True)
    key = keys.get(server.name) if key is None else key
    return asyncio.run(_watched(_models(server, key), token or CancelToken()))


async def _models(server: ChatServer, key: str | None) -> ServerInfo:
    start = time.monotonic()
    async with _client(server, key) as client:
        try:
            async with asyncio.timeout(_seconds(server)):
                raw = await client.models.with_raw_response.list()
        except (openai.OpenAIError, TimeoutError, SourceError) as error:
            raise _trouble(error, server, key, 1) from None
    text = raw.http_response.text
    try:
        form = json.loads(text)
        listed = form["data"] if isinstance(form, dict) else form
        names = tuple(answers.line(without_key(str(one["id"]), key)) for one in listed)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        why = without_key(answers.answer_text(text).why, key)
        words = f"{server.name} gives no list of models. {why}".strip()
        raise ServerError(words, hint="Is the URL the right one?") from error
    return ServerInfo(names, time.monotonic() - start)


async def _asked(
    server: ChatServer, bodies: Sequence[Body], key: str | None, token: CancelToken, patience: RetryPolicy
) -> list[ChatAnswer | ServerError]:
    room = asyncio.Semaphore(server.parallel)
    lasting: list[ServerError] = []

    async def one(client: AsyncOpenAI, body: Body) -> ChatAnswer | ServerError:
        async with room:
            if lasting:
                return lasting[0]
            sending = _Sending(dict(body))
            try:
                text = await _posted(client, server, sending, key, patience)
                privacy.note(server, sending.fields, "answered")
                found = replace(answers.answer_text(text), ms=sending.attempts[-1].ms)
                call = model_call(sending.fields, found, sending.attempts, key)
                text, why, raw = (without_key(said, key) for said in (found.text, found.why, found.raw))
                return replace(found, text=text, why=why, raw=raw, call=call)
            except asyncio.CancelledError:
                privacy.note(server, sending.fields, "cancelled")
                raise
            except ServerError as error:
                privacy.note(server, sending.fields, sending.attempts[-1].why if sending.attempts else "not sent")
                lasting.extend([error] if error.lasting else [])
                error.call = model_call(sending.fields, None, sending.attempts, key)
                return error

    async def every() -> list[ChatAnswer | ServerError]:
        async with _client(server, key) as client:
            return await asyncio.gather(*(one(client, body) for body in bodies))

    return await _watched(every(), token)


async def _watched(work: Coroutine[Any, Any, T], token: CancelToken) -> T:
    """The result of the work; when the token is cancelled the work is dropped, its connections with it."""
    task = asyncio.ensure_future(work)
    while not (await asyncio.wait((task,), timeout=_POLL))[0]:
        if token.cancelled:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            raise Cancelled
    return task.result()


@dataclass(slots=True)
class _Sending:
    """A request on its way: its fields as they are sent now, and how each attempt went."""

    fields: dict[str, Any]
    attempts: list[CallAttempt] = field(default_factory=list)

    def went(self, since: float, why: str = "") -> None:
        self.attempts.append(CallAttempt(why, 1000 * (time.monotonic() - since)))

    def waits(self, seconds: float) -> None:
        self.attempts[-1] = replace(self.attempts[-1], waited_ms=1000 * seconds)


async def _posted(
    client: AsyncOpenAI, server: ChatServer, sending: _Sending, key: str | None, patience: RetryPolicy
) -> str:
    """The body of the response. Raises ServerError after the last attempt, or at once where another is no use."""
    fields = sending.fields
    attempt = 0
    while True:
        start = time.monotonic()
        try:
            async with asyncio.timeout(_seconds(server)):
                raw = await client.chat.completions.with_raw_response.create(**fields)
                text = str(raw.http_response.text)
                sending.went(start)
                return text
        except (openai.OpenAIError, TimeoutError, SourceError) as error:
            unwanted = _unwanted(error, fields)
            sending.went(start, _reason(error, server, unwanted))
            if unwanted:
                for name in unwanted:
                    del fields[name]
                continue
            attempt += 1
            wait = _retry_after(error, patience.now())
            if not _passes(error) or attempt >= patience.attempts or (wait or 0) > LONGEST_ASKED:
                raise _trouble(error, server, key, attempt) from None
        seconds = patience.seconds(attempt - 1, wait)
        sending.waits(seconds)
        await patience.sleep(seconds)


@asynccontextmanager
async def _client(server: ChatServer, key: str | None) -> AsyncIterator[AsyncOpenAI]:
    try:
        import openai
    except ImportError as error:
        hint = "Install the extra: pip install stepscope[chat]."
        raise UnavailableError("Asking a server needs the library openai.", hint=hint) from error

    async def bare(request: Any) -> None:
        """Only what is meant for this server: the library adds what it finds in the environment."""
        for name in [name for name in request.headers if name.lower() not in _SENT]:
            del request.headers[name]
        request.headers["User-Agent"] = "stepscope"
        request.headers["Accept-Encoding"] = "identity"  # a few kilobytes of text need no packing
        if key:
            request.headers["Authorization"] = f"Bearer {key}"

    http = bounded_client(
        server.name, key, follow_redirects=False, trust_env=not server.is_here, event_hooks={"request": [bare]}
    )
    client = openai.AsyncOpenAI(
        api_key=key or "none",
        base_url=server.url,
        organization="",
        project="",
        timeout=_seconds(server),
        max_retries=0,
        http_client=http,
    )
    async with client:
        yield client


def _seconds(server: ChatServer) -> float:
    """The time for one answer: what its person gives it, within the limit for all."""
    return min(server.timeout, float(limit("answer-seconds")))


def _passes(error: Exception) -> bool:
    """Whether another attempt may go better."""
    if isinstance(error, openai.APIStatusError):
        return (error.status_code in _LATER and error.code != "insufficient_quota") or error.status_code >= 500
    return isinstance(error, openai.APIConnectionError | TimeoutError)


def _retry_after(error: Exception, now: float) -> float | None:
    """Seconds that the server asks to wait, as a number or as a date; None where it does not."""
    if not isinstance(error, openai.APIStatusError):
        return None
    told = error.response.headers.get("retry-after", "").strip()
    try:
        seconds = float(told)
    except ValueError:
        try:
            seconds = email.utils.parsedate_to_datetime(told).timestamp() - now
        except (ValueError, TypeError):
            return None
    return max(0.0, seconds) if seconds == seconds else None


def _unwanted(error: Exception, fields: Body) -> list[str]:
    """The optional fields that the server complains of."""
    if not isinstance(error, openai.BadRequestError | openai.UnprocessableEntityError):
        return []
    return [name for name in _OPTIONAL if name in fields and name in error.response.text]


def _reason(error: Exception, server: ChatServer, unwanted: Sequence[str]) -> str:
    """Why an attempt did not do, in few words."""
    if unwanted:
        return f"does not take {' and '.join(unwanted)}"
    if isinstance(error, openai.APIStatusError):
        words = {429: "too much to do", 503: "busy", 401: "key refused", 403: "key refused"}
        return (
            f"{words.get(error.status_code, 'refused' if error.status_code < 500 else 'broke')} ({error.status_code})"
        )
    if isinstance(error, openai.APITimeoutError | TimeoutError):
        return f"no answer within {_seconds(server):g} s"
    return "connection broke" if isinstance(error, openai.APIConnectionError) else "answer could not be read"


def _trouble(error: Exception, server: ChatServer, key: str | None, attempts: int) -> ServerError:
    """What happened in one sentence, without the key."""
    tries = f" {attempts} times" if attempts > 1 else ""
    if isinstance(error, openai.APIStatusError):
        found = _status_trouble(error, server, tries)
    elif isinstance(error, openai.APITimeoutError | TimeoutError):
        told = f"{server.name} gave no answer within {_seconds(server):g} s{tries and f', asked{tries}'}."
        limited = _seconds(server) < server.timeout
        found = ServerError(
            told, hint=limit_hint("answer-seconds") if limited else "Give it more time, or ask for less at once."
        )
    elif isinstance(error, SourceError):
        found = ServerError(error.message, hint=error.hint)
    elif isinstance(error, openai.APIConnectionError):
        cause = answers.line(str(error.__cause__ or "")) or "the connection broke"
        found = ServerError(f"{server.name} ({server.url}) cannot be reached{tries and f', tried{tries}'}: {cause}.")
    else:
        found = ServerError(f"{server.name} could not be asked: {answers.line(str(error))}")
    found.message = without_key(found.message, key)
    found.args = (found.message,)
    return found


def _status_trouble(error: APIStatusError, server: ChatServer, tries: str) -> ServerError:
    status, words = error.status_code, answers.error_words(error.response.text)
    if status in _REFUSING:
        hint = f"Check the key: stepscope servers check {server.name}."
        return ServerError(f"{server.name} refuses the key ({status}). {words}".strip(), hint=hint, lasting=True)
    if 300 <= status < 400:
        hint = "Add the server under its own address, if you trust it."
        return ServerError(f"{server.name} sends on to another address ({status}).", hint=hint, lasting=True)
    if status == 404:
        return ServerError(f"{server.name} has no such model or address (404). {words}".strip(), lasting=True)
    if error.code == "insufficient_quota":
        return ServerError(f"{server.name} has nothing left to spend (429). {words}".strip(), lasting=True)
    if status == 429:
        return ServerError(f"{server.name} has too much to do (429), asked{tries or ' once'}. {words}".strip())
    what = "broke" if status >= 500 else "did not take the request"
    too_long = status in (400, 413, 422) and (status == 413 or "context" in error.response.text.lower())
    told = f"{server.name} {what} ({status}){tries and f', asked{tries}'}. {words}".strip()
    return ServerError(told, too_long=too_long)
