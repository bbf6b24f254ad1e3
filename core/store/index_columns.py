"""The index of a source as columns in memory, for filters: its episodes, their steps, and the texts of these.

Each column is read when a filter first asks for it, out of its file where there is one (`core.store.kept_columns`), and
held. All reading goes through the transaction that is given: whoever holds the columns drops them when the source is in
another state (`core.store.column_cache`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, Select, func, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from stepscope.core.frozen import dataclass
from stepscope.core.store.column_reading import all_numbers, all_texts, fetched_columns
from stepscope.core.store.kept_columns import Columns, ColumnState, joined, kept, separated
from stepscope.core.store.repositories.steps import FACTS
from stepscope.core.store.tables import EpisodeRow, StepsRow, StepTextRow
from stepscope.core.store.texts import BoolArray, EncodedTexts, IntArray, Texts, members, with_words

Held = TypeVar("Held")
Completion = Callable[[Columns], Columns]
_IndexColumn = InstrumentedAttribute[Any] | ColumnElement[Any]

COUNTED, UNKNOWN_STEP = -2, -1
"""`index` of a row that stands for the steps of one kind of an episode, whose own steps were not read yet; place of a
step that there is not."""


@dataclass(frozen=True, eq=False)
class Steps:
    """Every step of a source, episode by episode, n rows: `episode` is the place of its episode, `index` its own,
    `kind` the place in `kinds` of its reference action ("" is the first: none); `ask` whether a question is due. `key`,
    `typed`, `target` and `name` are places in the texts of steps, 0 for none, and `texts` is how many texts the step
    has; `known` tells the rows that have them.

    `read` has an entry an episode. One that is false was not read for this yet: it has a row for each kind of action
    that its outline counts, with the index COUNTED.
    """

    episode: NDArray[np.int32]
    index: NDArray[np.int32]
    kind: NDArray[np.int16]
    kinds: tuple[str, ...]
    ask: BoolArray
    key: NDArray[np.int32]
    typed: NDArray[np.int32]
    target: NDArray[np.int32]
    name: NDArray[np.int32]
    texts: NDArray[np.int32]
    known: BoolArray
    read: BoolArray

    def places(self, episode: NDArray[np.int32], index: NDArray[np.int32]) -> NDArray[np.int64]:
        """The rows of these steps of these episodes (places), UNKNOWN_STEP where there is none."""
        mine, wanted = step_keys(self.episode, self.index), step_keys(episode, index)
        if not len(mine):
            return np.full(len(wanted), UNKNOWN_STEP, np.int64)
        order = None if bool((np.diff(mine) > 0).all()) else np.argsort(mine, kind="stable")
        place = np.minimum(np.searchsorted(mine, wanted, sorter=order), len(mine) - 1)
        found = place if order is None else order[place]
        return np.where((mine[found] == wanted) & (index != COUNTED), found, UNKNOWN_STEP)

    @classmethod
    def of_columns(cls, columns: Columns) -> Steps:
        """What `columns` gave."""
        return cls(**{**columns, "kinds": tuple(separated(bytes(columns["kinds"])))})  # type: ignore[arg-type]

    def columns(self) -> Columns:
        """The steps as they are kept in a file."""
        return {**vars(self), "kinds": joined(self.kinds)}


_NONE = np.zeros(0, np.int32)
NO_STEPS = Steps(
    _NONE, _NONE, _NONE.astype(np.int16), ("",), _NONE > 0, _NONE, _NONE, _NONE, _NONE, _NONE, _NONE > 0, _NONE > 0
)
"""For filters that ask about no step."""


def step_keys(episode: NDArray[np.int32], index: NDArray[np.int32]) -> IntArray:
    """One number for each step, in the order of episodes and steps."""
    return episode.astype(np.int64) << 32 | (index.astype(np.int64) - COUNTED)


class IndexColumns:
    """Columns of one source, each with an entry an episode, in the source's order."""

    def __init__(self, source_id: int, state: ColumnState) -> None:
        self.source_id = source_id
        self._state = state
        self._held: dict[str, Any] = {}

    def __len__(self) -> int:
        return len(self._held["ids"]) if "ids" in self._held else 0

    def ids(self, db: Session) -> NDArray[np.object_]:
        """The episodes' ids."""
        return self._once("ids", lambda: np.array(self.texts(db, "episode").texts, np.object_))

    def place_of(self, db: Session) -> dict[str, int]:
        """Place of each episode by its id."""
        return self._once("place_of", lambda: {name: place for place, name in enumerate(self.ids(db))})

    def texts(self, db: Session, name: str) -> Texts:
        """A column of texts that are mostly different: `episode` (the id) or `goal`."""
        read = lambda: Texts(all_texts(db, self._column(EpisodeRow.__table__.c[name]))).columns()  # noqa: E731
        return self._once(name, lambda: Texts.of_columns(self._kept(db, name, read, with_words)))

    def coded(self, db: Session, name: str) -> EncodedTexts:
        """A column of few different texts: app, platform, label, reason, split, actions; "" for none."""
        column = func.coalesce(EpisodeRow.__table__.c[name], "")
        read = lambda: EncodedTexts.of(all_texts(db, self._column(column))).columns()  # noqa: E731
        return self._once(name, lambda: EncodedTexts.of_columns(self._kept(db, name, read)))

    def numbers(self, db: Session, name: str) -> IntArray:
        """A column of whole numbers: steps, asks, …"""
        read = lambda: {"numbers": all_numbers(db, self._column(EpisodeRow.__table__.c[name]))}  # noqa: E731
        return self._once(name, lambda: np.asarray(self._kept(db, name, read)["numbers"]))

    def steps(self, db: Session) -> Steps:
        read = lambda: self._read_steps(db).columns()  # noqa: E731
        return self._once("steps of all", lambda: Steps.of_columns(self._kept(db, "steps of all", read)))

    def step_texts(self, db: Session) -> Texts:
        """The texts of steps in alphabetical order, in which those with a word often stand together; the first is
        empty."""
        return self._once("step texts", lambda: Texts.of_columns(self._numbered_texts(db)))

    def _numbered_texts(self, db: Session) -> Columns:
        """The columns of `step_texts`, and the place in it of each of the numbers by which the store knows texts."""
        read = lambda: self._kept(db, "step texts", lambda: self._read_step_texts(db), with_words)  # noqa: E731
        return self._once("texts and numbers", read)

    def step_words(self, db: Session, name: str) -> EncodedTexts:
        """Key, typed text, target or its name of each of the `steps`, "" for none."""

        def read() -> EncodedTexts:
            texts, column = self.step_texts(db).texts, getattr(self.steps(db), name)
            used = np.flatnonzero(np.bincount(column, minlength=len(texts)))
            place = np.zeros(len(texts), np.int32)
            place[used] = np.arange(len(used), dtype=np.int32)
            return EncodedTexts(place[column], [texts[number] for number in used.tolist()])

        return self._once(f"step {name}", read)

    def steps_with(self, db: Session, wanted: BoolArray) -> BoolArray:
        """The rows of `steps` that have any of the texts for which `wanted` is true."""
        first, rows = self._steps_by_text(db)
        return members(first, rows, wanted[: len(first) - 1], len(self.steps(db).episode))

    def text_counts(self, db: Session) -> IntArray:
        """How many steps have each of the texts."""
        return np.diff(self._steps_by_text(db)[0])

    def order(self, db: Session, key: str, work: Callable[[], Sequence[str]]) -> IntArray:
        """Places of the episodes in the order of `work`'s ids, worked out once for each key."""
        place_of = self.place_of(db)
        return self._once(f"order {key}", lambda: np.fromiter(map(place_of.__getitem__, work()), np.int64))

    def _once(self, name: str, work: Callable[[], Held]) -> Held:
        if name not in self._held:
            self._held[name] = work()
        found: Held = self._held[name]
        return found

    def _kept(self, db: Session, name: str, read: Callable[[], Columns], *complete: Completion) -> Columns:
        return kept(db, self._state, name, read, *complete)

    def _column(self, column: _IndexColumn) -> Select[*tuple[Any, ...]]:
        return select(column).where(EpisodeRow.source_id == self.source_id).order_by(EpisodeRow.position)

    def _read_steps(self, db: Session) -> Steps:
        blobs = self._blobs(db, StepsRow.facts)
        facts = np.frombuffer(b"".join(blob or b"" for blob in blobs), "<i4").reshape(-1, len(FACTS))
        place = np.asarray(self._numbered_texts(db)["place"])
        index, ask, texts = (np.ascontiguousarray(facts[:, FACTS.index(name)]) for name in ("index", "ask", "texts"))
        words = "kind", "key", "typed", "target", "name"
        kind, key, typed, target, name = (place[facts[:, FACTS.index(word)]] for word in words)
        read = np.fromiter((blob is not None for blob in blobs), np.bool_, len(blobs))
        lengths = np.fromiter((len(blob or b"") for blob in blobs), np.int64, len(blobs)) // (4 * len(FACTS))
        episode = np.repeat(np.arange(len(blobs), dtype=np.int32), lengths)
        numbers, code = np.unique(kind, return_inverse=True)
        names = self.step_texts(db).texts
        kinds = {"": 0}
        of_number = [kinds.setdefault(names[number], len(kinds)) for number in numbers.tolist()]
        counted, counted_kind = self._counted(db, ~read, kinds)
        kind = np.concatenate((np.array(of_number, np.int16)[code], counted_kind))
        more = len(counted)

        def longer(column: NDArray[Any], filling: int = 0) -> NDArray[Any]:
            return np.concatenate((column, np.full(more, filling, column.dtype)))

        return Steps(
            episode=np.concatenate((episode, counted)),
            index=longer(index, COUNTED),
            kind=kind,
            kinds=tuple(kinds),
            ask=longer(ask != 0),
            key=longer(key),
            typed=longer(typed),
            target=longer(target),
            name=longer(name),
            texts=longer(texts),
            known=np.arange(len(kind)) < len(episode),
            read=read,
        )

    def _counted(
        self, db: Session, unread: BoolArray, kinds: dict[str, int]
    ) -> tuple[NDArray[np.int32], NDArray[np.int16]]:
        """Episodes and kinds of the rows for episodes of which only the outline is known."""
        if not unread.any():
            return np.zeros(0, np.int32), np.zeros(0, np.int16)
        actions = self.coded(db, "actions")
        each = [[kinds.setdefault(kind, len(kinds)) for kind, _ in json.loads(text)] for text in actions.names.texts]
        lengths = np.array([len(found) for found in each], np.int64)
        episodes = np.flatnonzero(unread)
        codes = actions.code[episodes]
        found = [kind for code in codes.tolist() for kind in each[code]]
        return np.repeat(episodes, lengths[codes]).astype(np.int32), np.array(found, np.int16)

    def _read_step_texts(self, db: Session) -> Columns:
        here = StepTextRow.source_id == self.source_id
        by_text = select(StepTextRow.text).where(here).order_by(StepTextRow.text)
        numbers = all_numbers(db, by_text.with_only_columns(StepTextRow.number))
        place = np.zeros(len(numbers) + 1, np.int32)
        place[numbers] = np.arange(1, len(place), dtype=np.int32)
        return {**Texts(["", *all_texts(db, by_text)]).columns(), "place": place}

    def _steps_by_text(self, db: Session) -> tuple[IntArray, NDArray[np.int32]]:
        """Where the rows of each text begin, and the rows of each text one after the other."""
        name = "steps by text"
        found = self._once(name, lambda: self._kept(db, name, lambda: self._read_steps_by_text(db)))
        return np.asarray(found["first"]), np.asarray(found["rows"])

    def _read_steps_by_text(self, db: Session) -> Columns:
        blobs = self._blobs(db, StepsRow.texts)
        steps = self.steps(db)
        numbers = np.frombuffer(b"".join(blob or b"" for blob in blobs), "<i4")
        places = np.asarray(self._numbered_texts(db)["place"])[numbers]
        rows = np.repeat(np.arange(len(steps.texts), dtype=np.int32), steps.texts)
        counts = np.bincount(places, minlength=len(self.step_texts(db)))
        return {"first": np.concatenate(([0], np.cumsum(counts))), "rows": rows[_order(places)]}

    def _blobs(self, db: Session, column: InstrumentedAttribute[bytes]) -> list[bytes | None]:
        """The column for each episode, None where it was not read."""
        query = select(column).join_from(EpisodeRow, StepsRow, StepsRow.episode_id == EpisodeRow.id, isouter=True)
        query = query.where(EpisodeRow.source_id == self.source_id).order_by(EpisodeRow.position)
        return fetched_columns(db, query, 1)[0]


def _order(numbers: NDArray[np.int32]) -> IntArray:
    """Where the numbers, none below 0, stand in their order, equal ones as they come: 16 bits at a time, which numpy
    sorts by counting."""
    order = np.argsort(numbers.astype(np.uint16), kind="stable")
    if numbers.max(initial=0) >> 16:
        order = order[np.argsort((numbers >> 16).astype(np.uint16)[order], kind="stable")]
    return order
