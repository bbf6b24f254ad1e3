"""A language model fills in a page: it is shown the page, answers with a program of actions, and its calls are done.

Source: TurkingBench (Xu et al. 2024), section 4. The paper's models get the whole page or a few lines around "the input
field the model is currently solving"; with these, each field has a question of its own.
Where a model's context is short, demonstrations give way before the page does, the last of them first (ours).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from stepscope.core.domain.model_call import MOST_POINTS, CoordinateSpace, ModelCall, SaidPoint
from stepscope.core.domain.prediction import PredictionStatus
from stepscope.core.evaluation.predictor import FieldsRequest
from stepscope.core.frozen import dataclass
from stepscope.core.progress import CancelToken
from stepscope.core.webtask.actions import FARTHEST, LONGEST_WAIT_SECONDS, Click, GetHtml, PageAction, WaitTillLoaded
from stepscope.core.webtask.exchange import Exchange
from stepscope.core.webtask.html_parts import cut_to, without_noise
from stepscope.core.webtask.page import ExecutedCall, Page, PageError, PageField, PageGone, PageLook
from stepscope.core.webtask.program import parse_program
from stepscope.core.webtask.solving import Notes
from stepscope.models.chat.answers import ChatAnswer, spoken_text
from stepscope.models.chat.chat import Chat
from stepscope.models.chat.client import ServerError
from stepscope.models.webtask.demonstrated_pages import BETWEEN, Demonstrations
from stepscope.models.webtask.layout import layout_of
from stepscope.models.webtask.page_settings import PageSettings
from stepscope.models.webtask.prompt import Message, PastRound, Question, messages, offered_actions, system
from stepscope.models.webtask.shots import PageShot, click_at, field_shot, page_shot
from stepscope.models.webtask.tokens import PICTURE, Count, estimated

PAGE_TOKENS, FIELD_TOKENS = 4_096, 1_024
"""Tokens of an answer about a page and about a field (ours); of a small context at most a quarter."""
SHARES = (1.0, 0.7, 0.5)
"""Of the context that is filled: less where the server says that it was too much, for tokens are only estimated (ours).
"""
_MESSAGE = 8
"""Tokens that a message takes besides its text (ours)."""


@dataclass(frozen=True, slots=True)
class _QuestionScope:
    """The scope of a question: these fields of the page, all of them or the one that is `asked`, after the rounds
    `before`."""

    fields: Sequence[PageField]
    asked: str
    html: str
    shot: PageShot | None
    before: Sequence[PastRound] = ()

    @property
    def names(self) -> list[str]:
        return [field.name for field in self.fields]


@dataclass(frozen=True, slots=True)
class _SolverReply:
    """`note` says that another model than at first has answered, "" where none has."""

    exchange: Exchange
    status: PredictionStatus
    why: str = ""
    calls: tuple[ModelCall, ...] = ()
    program: str = ""
    note: str = ""


class PageModel:
    """See `Solver` and `Cancellable`."""

    def __init__(self, chat: Chat, settings: PageSettings, *, count: Count = estimated) -> None:
        """`count` tells how many tokens a text takes."""
        self._chat, self._settings, self._count = chat, settings, count
        self._demonstrations = Demonstrations(settings.html, settings.ask)

    def set_token(self, token: CancelToken) -> None:
        self._demonstrations = Demonstrations(self._settings.html, self._settings.ask)
        self._chat.set_token(token)

    def solve(self, page: Page, look: PageLook, request: FieldsRequest) -> Notes:
        doing = CallExecution(page, [field.name for field in look.fields], offered_actions(self._settings.vision))
        said: list[_SolverReply] = []
        try:
            for one in self._answers(page, look.fields, request, doing):
                said.append(one)
                if one.status is PredictionStatus.FAILED:
                    break
        except PageGone as error:
            told = [one.exchange for one in said]
            return Notes(tuple(told), PredictionStatus.FAILED, str(error), tuple(doing.kept_back), _calls(said))
        return _notes(said, doing)

    def _answers(
        self, page: Page, fields: Sequence[PageField], request: FieldsRequest, doing: CallExecution
    ) -> Iterator[_SolverReply]:
        """One for each question; a field that the page no longer has is not asked about."""
        if self._settings.ask == "page":
            if fields:
                yield from self._rounds(page, fields, request, doing)
            return
        for field in fields:
            try:
                yield from self._rounds(page, [field], request, doing, asked=field.name)
            except PageError:
                continue

    def _rounds(
        self, page: Page, fields: Sequence[PageField], request: FieldsRequest, doing: CallExecution, asked: str = ""
    ) -> Iterator[_SolverReply]:
        """Look, act, look again, until it says that it is done, does the same again, or has had its rounds. Raises
        PageError for a field that is gone."""
        before: list[PastRound] = []
        for _ in range(self._settings.rounds):
            done, kept_back = len(page.log), len(doing.kept_back)
            reply = self._answer(page, fields, request, doing, asked, before)
            yield reply
            if reply.status is not PredictionStatus.OK or not reply.program:
                return
            results = [*page.log[done:], *doing.kept_back[kept_back:]]
            before.append(PastRound(reply.program, tuple(_result_words(one) for one in results if one.raw)))
            if len(before) > 1 and before[-1].program == before[-2].program:
                return
            if self._settings.rounds > 1:
                fields = page.look([field.name for field in fields]).fields or fields

    def _answer(
        self,
        page: Page,
        fields: Sequence[PageField],
        request: FieldsRequest,
        doing: CallExecution,
        asked: str,
        before: Sequence[PastRound],
    ) -> _SolverReply:
        """Raises PageError for a field that is gone."""
        seen = self._seen(page, fields, asked, before)
        found, fit, calls = self._asked(seen, request)
        exchange = _exchange(found, asked, fit)
        if isinstance(found, ServerError):
            return _SolverReply(exchange, PredictionStatus.FAILED, str(found), calls)
        return replace(self._done(found, exchange, calls, seen, doing, asked), note=found.note)

    def _done(
        self,
        found: ChatAnswer,
        exchange: Exchange,
        calls: tuple[ModelCall, ...],
        seen: _QuestionScope,
        doing: CallExecution,
        asked: str,
    ) -> _SolverReply:
        """What the answer says is done on the page."""
        if found.status is not PredictionStatus.OK and not found.unended:
            return _SolverReply(exchange, found.status, found.why, calls)
        program = parse_program(spoken_text(found.text or found.raw), field=asked, names=seen.names)
        calls = _with_places(calls, program.calls)
        try:
            doing.do(program.calls, asked, seen.shot)
        except PageGone as error:
            return _SolverReply(exchange, PredictionStatus.FAILED, str(error), calls)
        if program.calls:
            said = "\n".join(raw for _, raw in program.calls)
            return _SolverReply(exchange, PredictionStatus.OK, calls=calls, program=said)
        if seen.before:  # it was asked what is still to be done, and names nothing
            return _SolverReply(exchange, PredictionStatus.OK, calls=calls)
        told = " ".join(("The answer holds no call of an action.", *program.problems[:1]))
        return _SolverReply(exchange, PredictionStatus.MALFORMED, found.why or told, calls)

    def _seen(self, page: Page, fields: Sequence[PageField], asked: str, before: Sequence[PastRound]) -> _QuestionScope:
        around = asked if self._settings.html == "relevant" else ""
        shot = None
        if self._settings.vision:
            shot = field_shot(page, around) if around else page_shot(page)
        return _QuestionScope(fields, asked, self._html(page, fields), shot, tuple(before))

    def _html(self, page: Page, fields: Sequence[PageField]) -> str:
        if self._settings.html == "layout":
            return layout_of(page.tree(), fields)
        if self._settings.html == "relevant":
            parts = [page.do(GetHtml(field.name)).text for field in fields]
            if any(parts):
                return BETWEEN.join(dict.fromkeys(filter(None, parts)))
        return without_noise(page.do(GetHtml()).text)

    def _asked(
        self, seen: _QuestionScope, request: FieldsRequest
    ) -> tuple[ChatAnswer | ServerError, FittedPrompt, tuple[ModelCall, ...]]:
        """What the model says, shown less where it was too much for it; and all that was sent."""
        calls: list[ModelCall] = []
        for share in SHARES:
            put, fit = self._put(seen, request, int(share * self._settings.context))
            found = self._chat.ask(put, self._most)
            calls += [found.call] if found.call is not None else []
            if not (isinstance(found, ServerError) and found.too_long):
                break
        return found, fit, tuple(calls)

    @property
    def _most(self) -> int:
        most = PAGE_TOKENS if self._settings.ask == "page" else FIELD_TOKENS
        return min(most, self._settings.context // 4)

    def _put(self, seen: _QuestionScope, request: FieldsRequest, context: int) -> tuple[list[Message], FittedPrompt]:
        """The question as it is sent, cut so that it takes this many tokens with the answer."""
        vision, count = self._settings.vision, self._count
        shot = None if seen.shot is None else seen.shot.shot
        named = tuple((field.name, field.type) for field in seen.fields)
        form = "layout" if self._settings.html == "layout" else "html"
        question = Question(request.task.title, "", named, seen.asked, form)
        values = [(field.name, field.value) for field in seen.fields] if seen.before else []
        taken = sum(count(text) + _MESSAGE for text in (system(vision), question.text))
        taken += count(shot.text) + PICTURE if shot is not None else 0
        taken += sum(count(one.program) + count(one.text) + 2 * _MESSAGE for one in seen.before)
        taken += sum(count(f"{name}: {value!r}") for name, value in values)
        demos = self._demonstrations.solved(request.demonstrations, seen.fields[0].type)
        lengths = [count(demo.question.text) + count(demo.program) + 2 * _MESSAGE for demo in demos]
        fit = fitted(context - self._most - taken, lengths, seen.html, count, seen.names)
        asked = replace(question, html=fit.html)
        put = messages(demos[: fit.demos], asked, shot, vision=vision, before=seen.before, values=values)
        return put, fit


def _result_words(one: ExecutedCall) -> str:
    """What came of a call, for the model that said it."""
    said = f": {one.said}" if one.said else ""
    return f"{one.raw} → {'done' if one.ok else 'failed'}{said}"


def _exchange(found: ChatAnswer | ServerError, asked: str, fit: FittedPrompt) -> Exchange:
    if isinstance(found, ServerError):
        return Exchange("", asked, cut=fit.cut, demos=fit.demos)
    return Exchange(found.raw, asked, found.tokens_in, found.tokens_out, fit.cut, found.ms, fit.demos)


def _calls(said: Sequence[_SolverReply]) -> tuple[ModelCall, ...]:
    return tuple(call for one in said for call in one.calls)


def _with_places(calls: tuple[ModelCall, ...], program: Sequence[tuple[PageAction, str]]) -> tuple[ModelCall, ...]:
    """The calls, the last of them with the places of its picture that the model's program clicks on."""
    places = [SaidPoint(one.x, one.y, CoordinateSpace.SENT) for one, _ in program if isinstance(one, Click)]
    return (*calls[:-1], replace(calls[-1], said=tuple(places[:MOST_POINTS]))) if calls and places else calls


def _notes(said: Sequence[_SolverReply], doing: CallExecution) -> Notes:
    """A page is as good as its best answer, unless the server failed: then it is to be done again. That another model
    has answered is said whatever came of it."""
    changes = tuple(dict.fromkeys(one.note for one in said if one.note))
    exchanges, kept_back = tuple(one.exchange for one in said), tuple(doing.kept_back)
    worst = next((one for one in said if one.status is PredictionStatus.FAILED), None)
    if worst is None and (not said or any(one.status is PredictionStatus.OK for one in said)):
        return Notes(exchanges, why=" ".join(changes), kept_back=kept_back, calls=_calls(said))
    told = worst or said[0]
    return Notes(exchanges, told.status, " ".join((told.why, *changes)), kept_back, _calls(said))


@dataclass(frozen=True, slots=True)
class FittedPrompt:
    """The first `demos` demonstrations, the page's HTML, and how many tokens of it were left out."""

    demos: int
    html: str
    cut: int = 0


def fitted(room: int, demos: Sequence[int], html: str, count: Count, keep: Collection[str]) -> FittedPrompt:
    """`room` in tokens for the HTML and demonstrations of these lengths. Where the HTML alone is too much, it is cut
    around the fields `keep`."""
    size, shown = count(html), len(demos)
    while shown and size + sum(demos[:shown]) > room:
        shown -= 1
    if size <= room:
        return FittedPrompt(shown, html)
    less = cut_to(html, lambda part: count(part) <= room, keep).html
    return FittedPrompt(shown, less, max(0, size - count(less)))


MOST = 300
"""Calls of one answer that are done at most: real pages have some dozens of fields (ours)."""


class CallExecution:
    """All answers about one page. `kept_back` has the calls that were not done; those that failed are in the page's own
    log."""

    def __init__(self, page: Page, names: Collection[str], offered: Collection[type[PageAction]]) -> None:
        """`names` are the page's answer fields, `offered_actions` the actions that the model was told of."""
        self._page, self._names, self._offered = page, frozenset(names), frozenset(offered)
        self.kept_back: list[ExecutedCall] = []

    def do(self, calls: Iterable[tuple[PageAction, str]], asked: str = "", shot: PageShot | None = None) -> None:
        """The calls with the pieces of output that they come from; `asked`: only this field was asked about; `shot` is
        the picture that places are meant in. Raises PageGone."""
        for number, (action, raw) in enumerate(calls):
            why = "It is one call too many." if number >= MOST else self._why_not(action, asked, shot)
            if why:
                self._keep_back(action, raw, why)
                continue
            with suppress(PageError):  # the page has logged it; the rest is done all the same
                if isinstance(action, WaitTillLoaded):
                    action = replace(action, seconds=min(action.seconds, LONGEST_WAIT_SECONDS))
                if isinstance(action, Click) and shot is not None:
                    action = click_at(self._page, shot, action, raw)
                self._page.do(action, raw=raw)

    def _why_not(self, action: PageAction, asked: str, shot: PageShot | None) -> str:
        field = getattr(action, "field", "")
        if type(action) not in self._offered:
            return f"{action.name} was not offered."
        if field and field not in self._names:
            return f"{field} is none of the fields that are asked for."
        if asked and field and field != asked:
            return f"Only {asked} was asked for."
        if isinstance(action, Click) and shot is None:
            return "There was no picture to click in."
        if isinstance(action, Click) and max(abs(action.x), abs(action.y)) > FARTHEST:
            return "There is no such place in the picture."
        return ""

    def _keep_back(self, action: PageAction, raw: str, why: str) -> None:
        last = self._page.log[-1] if self._page.log else None
        at = last.at + last.took if last is not None else 0.0
        self.kept_back.append(ExecutedCall(action, at, 0.0, False, why, raw))
