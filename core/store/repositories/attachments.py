"""Pictures that predictors attached. They are large: nothing reads them along with predictions, and of several items
only what the caller is about to show."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from stepscope.core.domain.geometry import Box, Size
from stepscope.core.domain.prediction import AttachedPicture, lies_on
from stepscope.core.domain.run import ItemKey
from stepscope.core.frozen import dataclass
from stepscope.core.store.codec import compact
from stepscope.core.store.tables import PredictionPictureRow, PredictionRow, table_of


@dataclass(frozen=True, slots=True)
class AttachedName:
    """An attached picture without its file: its name, and the step it is about (see `AttachedPicture.step`)."""

    name: str
    step: int | None

    def lies_on(self, predicted: int | None, step: int) -> bool:
        """Whether it lies over the step with this index, where the prediction is about step `predicted`."""
        return lies_on(self.step, predicted, step)


def add_many(db: Session, prediction_ids: Sequence[int], pictures: Sequence[Sequence[AttachedPicture]]) -> None:
    """Store the pictures of these predictions, for each those at the same place of the list."""
    rows = [
        picture_row(prediction_id, ordinal, one)
        for prediction_id, several in zip(prediction_ids, pictures, strict=True)
        for ordinal, one in enumerate(several)
    ]
    if rows:
        db.execute(insert(table_of(PredictionPictureRow)), rows)


def of_item(db: Session, run_id: str, key: ItemKey) -> tuple[AttachedPicture, ...]:
    """The pictures of one item in the predictor's order."""
    here = PredictionRow.run_id == run_id, PredictionRow.episode == key.episode, PredictionRow.step == key.step
    return _pictures(db, select(PredictionRow.id).where(*here).scalar_subquery())


def of_prediction(db: Session, prediction_id: int) -> tuple[AttachedPicture, ...]:
    """The attached pictures of a prediction by the number of its row."""
    return _pictures(db, prediction_id)


def names(db: Session, run_id: str, episode: str) -> dict[int, tuple[AttachedName, ...]]:
    """What there is in an episode: by the items' steps, -1 for the whole episode."""
    table = table_of(PredictionPictureRow).c
    query = select(PredictionRow.step, table.name, table.step).join(
        PredictionRow, PredictionRow.id == table.prediction_id
    )
    query = query.where(PredictionRow.run_id == run_id, PredictionRow.episode == episode)
    found: dict[int, tuple[AttachedName, ...]] = {}
    for item, name, step in db.execute(query.order_by(table.prediction_id, table.ordinal)):
        found[item] = (*found.get(item, ()), AttachedName(name, step))
    return found


def predictions_with(db: Session, run_id: str) -> dict[ItemKey, int]:
    """The run's items that have pictures, with the ids of their predictions."""
    query = select(PredictionRow.episode, PredictionRow.step, PredictionRow.id).where(PredictionRow.run_id == run_id)
    query = query.where(PredictionRow.id.in_(select(PredictionPictureRow.prediction_id)))
    return {ItemKey(episode, step): row for episode, step, row in db.execute(query)}


def among(db: Session, prediction_ids: Collection[int]) -> set[int]:
    """The predictions among these that have pictures."""
    column = table_of(PredictionPictureRow).c.prediction_id
    return set(db.scalars(select(column).where(column.in_(prediction_ids))))


def picture_row(prediction_id: int, ordinal: int, picture: AttachedPicture) -> dict[str, Any]:
    """The picture's row; a box is written with the size that it refers to."""
    box = picture.box
    place = (
        None if box is None else compact([box.left, box.top, box.right, box.bottom, box.size.width, box.size.height])
    )
    return {
        "prediction_id": prediction_id,
        "ordinal": ordinal,
        "name": picture.name,
        "step": picture.step,
        "box": place,
        "picture": picture.data,
    }


def _pictures(db: Session, prediction_id: Any) -> tuple[AttachedPicture, ...]:
    table = table_of(PredictionPictureRow).c
    query = select(table.name, table.picture, table.box, table.step).where(table.prediction_id == prediction_id)
    rows = db.execute(query.order_by(table.ordinal))
    return tuple(picture_of(name, bytes(data), place, step) for name, data, place, step in rows)


def picture_of(name: str, data: bytes, place: str | None, step: int | None) -> AttachedPicture:
    """The value of a row. Raises ValueError or TypeError for what is none."""
    box = None
    if place is not None:
        left, top, right, bottom, width, height = json.loads(place)
        box = Box(left, top, right, bottom, Size(width, height))
    return AttachedPicture(name, data, box, step)
