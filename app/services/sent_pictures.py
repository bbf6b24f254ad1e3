"""Pictures as they were sent to a model: out of the store, or made again of the data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepscope.core.domain.episode import Episode
from stepscope.core.domain.model_call import PictureMaker, SentPicture, digest_of
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import model_calls

if TYPE_CHECKING:
    from stepscope.models.chat import redaction_rules
else:
    redaction_rules = lazy_module("stepscope.models.chat.redaction_rules")


@dataclass(frozen=True, slots=True)
class SentFile:
    """A picture's file. `same`: byte for byte what was sent; one that was made again may differ, where the data or this
    program has changed since."""

    data: bytes
    same: bool


def sent_file(database: Database, run_id: str, picture: SentPicture, episode: Episode) -> SentFile | None:
    """The file of a picture of that run and episode, None where it was not kept and cannot be made again. Raises
    SourceError for data that cannot be read."""
    match picture.maker:
        case PictureMaker.NONE:
            with database.reading() as db:
                data = model_calls.picture(db, run_id, picture.digest)
        case PictureMaker.TRAJECTORY:
            data = _of_trajectory(picture, episode)
        case PictureMaker.SCREEN:
            data = _of_screen(picture, episode)
    return None if data is None else SentFile(data, digest_of(data) == picture.digest)


def _of_trajectory(picture: SentPicture, episode: Episode) -> bytes | None:
    from stepscope.core.evaluation.tasks.kind import done_in
    from stepscope.models.chat import pictures
    from stepscope.models.chat.trajectory import is_done

    place = picture.step
    if place is None or place >= len(episode.steps):
        return None
    action = done_in(episode)[place]
    seen = episode.steps[place].observation
    shown = action if is_done(action) else None
    return pictures.sent_file(seen, shown, episode.platform, redaction=redaction_rules.redaction_of(episode.app))


def _of_screen(picture: SentPicture, episode: Episode) -> bytes | None:
    from stepscope.core.domain.geometry import Size
    from stepscope.models.agents.question import sent_picture

    place = picture.step
    if place is None or not 0 <= place < len(episode.steps):
        return None
    size = Size(picture.width, picture.height)
    return sent_picture(episode.steps[place].observation, size, redaction_rules.redaction_of(episode.app))
