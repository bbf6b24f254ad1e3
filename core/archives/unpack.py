"""A dropped archive becomes a folder in the user's cache, once: the same archive opens at once the next time.

Files appear under their names only when whole, and the folder only when all files are there; what was unpacked before a
cancel or crash is not unpacked again. Archives that would fill the disk are refused.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Generator
from pathlib import Path

from stepscope.core.archives.budget import Budget
from stepscope.core.archives.index_files import FileKey
from stepscope.core.archives.members import ArchiveMembers, open_archive
from stepscope.core.archives.names import Member, check_count
from stepscope.core.archives.opening import ARCHIVE_SUFFIXES, open_file, unreadable
from stepscope.core.drafts import reason
from stepscope.core.errors import SourceError
from stepscope.core.limits import BYTES, limit, written_figure
from stepscope.core.progress import CancelToken, Progress, ProgressMeter
from stepscope.core.settings import user_cache_dir

_PROBE = 1 << 16
_NOT_IN_NAMES = re.compile(r'[\x00-\x1f<>:"/\\|?*]+')
_DRAFT = "file-"
"""How files that are not whole begin; they lie beside the folder and not in it."""


def unpack_folder() -> Path:
    """The folder of all unpacked archives, inside the user's cache; may not exist yet."""
    return user_cache_dir() / "unpacked"


def unpack(path: Path, token: CancelToken | None = None, home: Path | None = None) -> Generator[Progress, None, Path]:
    """Unpack a zip or tar archive into a folder below `home` (`unpack_folder()`); yields progress in files and returns
    the folder.

    When `token` is cancelled it ends after the current piece, and the folder is not there. Raises SourceError for an
    archive that is broken, refused (see `members`) or larger than the limits and the disk allow.
    """
    token = token or CancelToken()
    place = (home or unpack_folder()) / _digest(path)
    folder = place / _folder_name(path.name)
    if folder.is_dir():
        return folder
    part = place.with_name(place.name + ".part")
    try:
        (part / folder.name).mkdir(parents=True, exist_ok=True)
        with open_archive(path) as contents:
            yield from _ArchiveExtraction(path, part / folder.name, contents, token).files()
        if not token.cancelled:
            _put_in_place(part, place)
    except SourceError:
        shutil.rmtree(part, ignore_errors=True)
        raise
    except OSError as error:
        if folder.is_dir():
            return folder  # another process was quicker
        shutil.rmtree(part, ignore_errors=True)
        raise SourceError(f"the archive cannot be unpacked: {reason(error)}", place=path) from error
    return folder


class _ArchiveExtraction:
    def __init__(self, path: Path, folder: Path, contents: ArchiveMembers, token: CancelToken) -> None:
        self._path, self._folder, self._contents, self._token = path, folder, contents, token
        self._budget = Budget(path, path.stat().st_size)
        self._draft = folder.parent / f"{_DRAFT}{os.getpid()}"
        self._made = folder
        self._kept_free = limit("disk-kept-free")
        check_count(contents.count or 0, path)
        self._check_room(contents.size)

    def files(self) -> Generator[Progress, None, None]:
        """Unpack one member after the other. Raises SourceError for more, or larger ones, than allowed."""
        meter = ProgressMeter(self._contents.count)
        yield meter.snapshot()
        for member in self._contents.members:
            self._token.wait_if_paused()
            yield from self._file(member, meter)
            if self._token.cancelled:
                return
            yield meter.advance()

    def _file(self, member: Member, meter: ProgressMeter) -> Generator[Progress, None, None]:
        """Write one file beside its place and put it there when it is whole."""
        target = self._folder.joinpath(*member.parts)
        self._check_room(member.size)
        if _has(target, member.size):
            self._budget.take(member.size)
            return
        if target.parent != self._made:
            target.parent.mkdir(parents=True, exist_ok=True)
            self._made = target.parent
        try:
            with self._draft.open("wb", buffering=0) as stream:
                for chunk in member.chunks:
                    self._budget.take(len(chunk))
                    self._check_room(len(chunk))
                    stream.write(chunk)
                    yield meter.snapshot()
                    self._token.wait_if_paused()
                    if self._token.cancelled:
                        break
        except BaseException:
            self._draft.unlink(missing_ok=True)
            raise
        if self._token.cancelled:
            self._draft.unlink(missing_ok=True)
        else:
            self._draft.replace(target)

    def _check_room(self, more: int) -> None:
        """SourceError when that many further bytes are more than the archive may have or the disk has room for."""
        if self._budget.taken + more > self._budget.most:
            raise self._budget.refusal()
        if more and shutil.disk_usage(self._folder).free - more < self._kept_free:
            needed = written_figure(BYTES, more)
            raise SourceError(
                f"there is no room to unpack it: {needed} are needed in {self._folder.parent.parent}",
                place=self._path,
                hint=f"Make room on the disk: {written_figure(BYTES, self._kept_free)} of it stay free "
                "(--limit-disk-kept-free, or Preferences ▸ Limits). Or unpack it elsewhere and open the folder.",
            )


def _has(file: Path, size: int) -> bool:
    """Whether a file of that size is there."""
    try:
        status = file.lstat()
    except OSError:
        return False
    return status.st_size == size and not file.is_dir()


def _put_in_place(part: Path, home: Path) -> None:
    for draft in part.glob(f"{_DRAFT}*"):
        draft.unlink(missing_ok=True)
    try:
        part.rename(home)
    except OSError:
        if not home.is_dir():
            raise
        shutil.rmtree(part, ignore_errors=True)  # another process was quicker


def _digest(path: Path) -> str:
    """A digest of the archive's size, time of change, beginning, middle and end, not of its place: a moved archive has
    the same."""
    key = FileKey.of(path)
    digest = hashlib.sha256(f"{key.size} {key.changed}".encode())
    with open_file(path) as stream:
        try:
            for place in (0, key.size // 2, max(0, key.size - _PROBE)):
                stream.seek(place)
                digest.update(stream.read(_PROBE))
        except OSError as error:
            raise unreadable(error, path) from error
    return digest.hexdigest()[:24]


def _folder_name(name: str) -> str:
    """The archive's name without its ending, as a folder's name anywhere."""
    ending = next((ending for ending in ARCHIVE_SUFFIXES if name.lower().endswith(ending)), "")
    plain = _NOT_IN_NAMES.sub("_", name[: len(name) - len(ending)]).strip(" .")[:80]
    return plain or "archive"
