"""What was sent to models for the items of a run, what came back, and what it took.

Texts and files stand once for each run. Nothing reads them along with predictions.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from statistics import median
from typing import Any

from sqlalchemy import Select, func, insert, select
from sqlalchemy.orm import Session

from stepscope.core.domain.model_call import ModelCall
from stepscope.core.frozen import dataclass
from stepscope.core.limits import limit
from stepscope.core.store.call_codec import SentParts, call_from_json, call_to_json, names_of
from stepscope.core.store.codec import compact
from stepscope.core.store.tables import ModelCallRow, PredictionRow, SentPictureRow, SentTextRow, table_of

NOT_KEPT = "[this text was not kept]"
_AT_ONCE = 500
_CALL = table_of(ModelCallRow).c
_JSON = ("messages", "settings", "attempts", "said")
_PLAIN = ("tokens_in", "tokens_out", "first_ms", "ms", "stop", "remembered")


@dataclass(frozen=True, slots=True)
class CallTotals:
    """Sums over the calls of a run, or of one of its episodes. Tokens are None where no call names any; `paid_in` and
    `paid_out` leave out answers that were known from earlier runs. `latency_ms` is the median of its items, `first_ms`
    that of the time to the first token of its calls, None where nothing tells."""

    calls: int = 0
    tokens_in: int | None = None
    tokens_out: int | None = None
    paid_in: int = 0
    paid_out: int = 0
    retries: int = 0
    remembered: int = 0
    items: int = 0
    sum_ms: float | None = None
    latency_ms: float | None = None
    first_ms: float | None = None


def add_many(db: Session, run_id: str, prediction_ids: Sequence[int], calls: Sequence[Sequence[ModelCall]]) -> None:
    """Store the calls of these predictions, for each those at the same place of the list."""
    if not any(calls):
        return
    parts, forms = SentParts(), list[tuple[int, list[dict[str, Any]]]]()
    for prediction_id, several in zip(prediction_ids, calls, strict=True):
        forms.append((prediction_id, [call_to_json(one, parts) for one in several]))
    add_parts(db, run_id, parts)
    add_forms(db, forms)


def add_parts(db: Session, run_id: str, parts: SentParts) -> None:
    """Keep what of these texts and files the run does not have yet (in a writing transaction)."""
    for row, column, several in ((SentTextRow, "text", parts.texts), (SentPictureRow, "picture", parts.files)):
        table = table_of(row)
        here = table.c.run_id == run_id
        for some in _pieces(sorted(several)):
            known = set(db.scalars(select(table.c.digest).where(here, table.c.digest.in_(some))))
            new = [{"run_id": run_id, "digest": one, column: several[one]} for one in some if one not in known]
            if new and row is SentPictureRow:
                new = _within_limit(db, run_id, new)
            if new:
                db.execute(insert(table), new)


def _within_limit(db: Session, run_id: str, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The pictures that still may be kept for this run; of the others it keeps size and digest."""
    length = func.length(SentPictureRow.picture)
    room = limit("sent-pictures-bytes") - (
        db.scalar(select(func.sum(length)).where(SentPictureRow.run_id == run_id)) or 0
    )
    kept = []
    for row in rows:
        room -= len(row["picture"])
        kept += [row] if room >= 0 else []
    return kept


def add_forms(db: Session, forms: Sequence[tuple[int, Sequence[Mapping[str, Any]]]]) -> None:
    """Store calls in the form of `call_codec`, by the ids of their predictions; their texts are there."""
    several = [(one, ordinal, form) for one, calls in forms for ordinal, form in enumerate(calls)]
    if not several:
        return
    ids = [one for one, calls in forms if calls]
    raw: dict[int, str] = {}
    for some in _pieces(ids):
        query = select(PredictionRow.id, PredictionRow.raw).where(PredictionRow.id.in_(some))
        raw |= {row[0]: row[1] for row in db.execute(query)}
    rows = [call_row(one, ordinal, form, raw.get(one, "")) for one, ordinal, form in several]
    db.execute(insert(table_of(ModelCallRow)), rows)


def call_row(prediction_id: int, ordinal: int, form: Mapping[str, Any], raw: str) -> dict[str, Any]:
    """The row of a call's form; `raw` is the prediction's raw output."""
    return {
        "prediction_id": prediction_id,
        "ordinal": ordinal,
        "output": None if form["output"] == raw else form["output"],
        "retries": max(0, len(form["attempts"]) - 1),
        **{name: compact(form[name]) for name in _JSON},
        **{name: form[name] for name in _PLAIN},
    }


def form_of(row: Mapping[str, Any]) -> dict[str, Any]:
    """The form of a row, without the output where that is the prediction's raw one. Raises ValueError for JSON that is
    none."""
    return {
        **{name: json.loads(row[name]) for name in _JSON},
        **{name: row[name] for name in _PLAIN},
        "output": row["output"],
    }


def forms_of(db: Session, prediction_ids: Collection[int]) -> dict[int, list[dict[str, Any]]]:
    """The calls of these predictions in their forms, in order; nothing for those without."""
    found: dict[int, list[dict[str, Any]]] = {}
    for some in _pieces(sorted(prediction_ids)):
        query = select(*_CALL).where(_CALL.prediction_id.in_(some)).order_by(_CALL.prediction_id, _CALL.ordinal)
        for row in db.execute(query).mappings():
            found.setdefault(row["prediction_id"], []).append(form_of(dict(row)))
    return found


def of_episode(db: Session, run_id: str, episode: str) -> dict[int, tuple[ModelCall, ...]]:
    """The calls of an episode's items by step (-1: the whole episode), their pictures without files."""
    query = select(PredictionRow.id, PredictionRow.step, PredictionRow.raw)
    query = query.where(PredictionRow.run_id == run_id, PredictionRow.episode == episode)
    steps = {row_id: (step, raw) for row_id, step, raw in db.execute(query)}
    forms = forms_of(db, steps)
    wanted = {digest for calls in forms.values() for form in calls for digest in names_of(form)[0]}
    texts = texts_of(db, run_id, wanted)

    def text_of(digest: str) -> str:
        return texts.get(digest, NOT_KEPT)

    found = ((*steps[one], calls) for one, calls in forms.items())
    return {step: tuple(call_from_json(form, text_of, raw) for form in calls) for step, raw, calls in found}


def texts_of(db: Session, run_id: str, digests: Collection[str]) -> dict[str, str]:
    """The texts of a run with these digests."""
    found: dict[str, str] = {}
    for some in _pieces(sorted(digests)):
        here = SentTextRow.run_id == run_id, SentTextRow.digest.in_(some)
        query = select(SentTextRow.digest, SentTextRow.text).where(*here)
        found |= {row[0]: row[1] for row in db.execute(query)}
    return found


def all_texts(db: Session, run_id: str) -> Iterator[tuple[str, str]]:
    """Every text of the run's prompts with its digest, by digest."""
    query = select(SentTextRow.digest, SentTextRow.text).where(SentTextRow.run_id == run_id)
    for row in db.execute(query.order_by(SentTextRow.digest).execution_options(yield_per=_AT_ONCE)):
        yield row[0], row[1]


def picture_digests(db: Session, run_id: str) -> list[str]:
    """The digests of the files that are kept for the run, in order."""
    query = select(SentPictureRow.digest).where(SentPictureRow.run_id == run_id)
    return list(db.scalars(query.order_by(SentPictureRow.digest)))


def picture(db: Session, run_id: str, digest: str) -> bytes | None:
    """The file of a picture as it was sent, None where it is not kept."""
    here = SentPictureRow.run_id == run_id, SentPictureRow.digest == digest
    found = db.scalar(select(SentPictureRow.picture).where(*here))
    return None if found is None else bytes(found)


def count_texts(db: Session, run_id: str) -> int:
    return db.scalar(select(func.count()).select_from(SentTextRow).where(SentTextRow.run_id == run_id)) or 0


def totals(db: Session, run_id: str, episode: str | None = None) -> CallTotals:
    """What the run took, or the episode of it. Raises nothing for a run without calls: all is 0 or None then."""
    here = [PredictionRow.run_id == run_id]
    if episode is not None:
        here.append(PredictionRow.episode == episode)

    def of_calls(*columns: Any) -> Select[*tuple[Any, ...]]:
        query = select(*columns).select_from(table_of(ModelCallRow))
        return query.join(PredictionRow, PredictionRow.id == _CALL.prediction_id).where(*here)

    fresh = _CALL.remembered.is_(False)
    row = db.execute(
        of_calls(
            func.count(),
            func.sum(_CALL.tokens_in),
            func.sum(_CALL.tokens_out),
            func.sum(_CALL.tokens_in).filter(fresh),
            func.sum(_CALL.tokens_out).filter(fresh),
            func.sum(_CALL.retries),
            func.count().filter(~fresh),
        )
    ).one()
    latencies = _numbers(db, select(PredictionRow.latency_ms).where(*here, PredictionRow.latency_ms.is_not(None)))
    firsts = _numbers(db, of_calls(_CALL.first_ms).where(_CALL.first_ms.is_not(None)))
    calls, tokens_in, tokens_out, paid_in, paid_out, retries, remembered = (
        None if one is None else int(one) for one in row
    )
    return CallTotals(
        calls or 0,
        tokens_in,
        tokens_out,
        paid_in or 0,
        paid_out or 0,
        retries or 0,
        remembered or 0,
        items=db.scalar(select(func.count()).select_from(PredictionRow).where(*here)) or 0,
        sum_ms=sum(latencies) if latencies else None,
        latency_ms=median(latencies) if latencies else None,
        first_ms=median(firsts) if firsts else None,
    )


def _numbers(db: Session, query: Select[*tuple[Any, ...]]) -> list[float]:
    return [float(value) for (value,) in db.execute(query)]


def _pieces(several: Sequence[Any]) -> Iterator[Sequence[Any]]:
    for first in range(0, len(several), _AT_ONCE):
        yield several[first : first + _AT_ONCE]
