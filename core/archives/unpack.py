"""A dropped archive becomes a folder in the user's cache, once: the same archive opens at once the next time.

Files appear under their names only when whole, and the folder only when all files are there; what was unpacked before a
cancel or crash is not unpacked again. Archives that would fill the disk are refused.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import tempfile
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

from core.archives.index_files import FileKey
from core.archives.members import Contents, Member, opened
from core.archives.opening import open_file, unreadable
from core.errors import SourceError
from core.progress import CancelToken, Progress, ProgressMeter
from core.settings import user_cache_dir

MAX_FILES = 2_000_000
"""Files of one archive (ours)."""
MAX_RATIO = 250
"""Bytes unpacked for a byte of the archive: JSON packs 10 to 50 times, deflate cannot do more than 1,032 (ours)."""
FREE_OF_RATIO = 1 << 28
"""Bytes that any archive may unpack to."""
KEPT_FREE = 1 << 30
"""Bytes that stay free on the disk."""

_PROBE = 1 << 16
_NOT_IN_NAMES = re.compile(r'[\x00-\x1f<>:"/\\|?*]+')
_ENDINGS = (".tar.gz", ".tgz", ".tar", ".zip")
_HINT = "Unpack it yourself and open the folder, if you trust where it comes from."


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one archive may take up."""

    files: int = MAX_FILES
    ratio: int = MAX_RATIO
    free_of_ratio: int = FREE_OF_RATIO
    kept_free: int = KEPT_FREE


_LIMITS = Limits()


def unpack_folder() -> Path:
    """The folder of all unpacked archives, inside the user's cache; may not exist yet."""
    return user_cache_dir() / "unpacked"


def unpack(path: Path, token: CancelToken | None = None, limits: Limits = _LIMITS) -> Generator[Progress, None, Path]:
    """Unpack a .zip, .tar or .tar.gz archive; yields progress in files and returns the folder.

    When `token` is cancelled it ends after the current piece, and the folder is not there. Raises SourceError for an
    archive that is broken, refused (see `members`) or too large for `limits` and the disk.
    """
    token = token or CancelToken()
    home = unpack_folder() / _digest(path)
    folder = home / _folder_name(path.name)
    if folder.is_dir():
        return folder
    part = home.with_name(home.name + ".part")
    try:
        (part / folder.name).mkdir(parents=True, exist_ok=True)
        with opened(path) as contents:
            yield from _Unpacking(path, part / folder.name, contents, limits, token).files()
        if not token.cancelled:
            _put_in_place(part, home)
    except SourceError:
        shutil.rmtree(part, ignore_errors=True)
        raise
    except OSError as error:
        shutil.rmtree(part, ignore_errors=True)
        raise SourceError(f"the archive cannot be unpacked: {error.strerror or error}", place=path) from error
    return folder


class _Unpacking:
    def __init__(self, path: Path, folder: Path, contents: Contents, limits: Limits, token: CancelToken) -> None:
        self._path, self._folder, self._contents, self._limits, self._token = path, folder, contents, limits, token
        self._most = path.stat().st_size * limits.ratio + limits.free_of_ratio
        self._written = 0
        self._check(contents.count or 0, contents.size)

    def files(self) -> Generator[Progress, None, None]:
        """Unpack one member after the other. Raises SourceError for more of them, or larger ones, than allowed."""
        meter = ProgressMeter(self._contents.count)
        yield meter.snapshot()
        for member in self._contents.members:
            self._token.wait_if_paused()
            yield from self._file(member, meter)
            if self._token.cancelled:
                return
            yield meter.advance()
            self._check(meter.done, 0)

    def _file(self, member: Member, meter: ProgressMeter) -> Generator[Progress, None, None]:
        """Write one file beside its place and put it there when it is whole."""
        target = self._folder.joinpath(*member.parts)
        self._check(0, member.size)
        if target.is_file() and target.stat().st_size == member.size:
            self._written += member.size
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=self._folder.parent, prefix="file-", delete=False) as stream:
            draft = Path(stream.name)
            try:
                for chunk in member.chunks:
                    self._check(0, len(chunk))
                    stream.write(chunk)
                    self._written += len(chunk)
                    yield meter.snapshot()
                    self._token.wait_if_paused()
                    if self._token.cancelled:
                        break
            except BaseException:
                draft.unlink(missing_ok=True)
                raise
        if self._token.cancelled:
            draft.unlink(missing_ok=True)
        else:
            draft.chmod(0o644)
            draft.replace(target)

    def _check(self, files: int, more: int) -> None:
        """SourceError when this many files, or that many further bytes, are too much."""
        if files > self._limits.files:
            raise self._refused(f"it holds more than {self._limits.files:,} files")
        if self._written + more > self._most:
            raise self._refused(f"it unpacks to more than {self._limits.ratio} times its size, as no data set does")
        if more and shutil.disk_usage(self._folder).free - more < self._limits.kept_free:
            raise SourceError(
                f"there is no room to unpack it: {more / 1e9:.1f} GB are needed in {self._folder.parent.parent}",
                place=self._path,
                hint="Make room on the disk, or unpack it elsewhere and open the folder.",
            )

    def _refused(self, why: str) -> SourceError:
        return SourceError(f"the archive is not opened: {why}", place=self._path, hint=_HINT)


def _put_in_place(part: Path, home: Path) -> None:
    for draft in part.glob("file-*"):
        draft.unlink(missing_ok=True)
    try:
        part.rename(home)
    except OSError:
        if not home.is_dir():
            raise
        shutil.rmtree(part, ignore_errors=True)  # another process was quicker


def _digest(path: Path) -> str:
    """Of the archive's size, time of change, beginning, middle and end; not of its place: a moved one is the same."""
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
    ending = next((ending for ending in _ENDINGS if name.lower().endswith(ending)), "")
    plain = _NOT_IN_NAMES.sub("_", name[: len(name) - len(ending)]).strip(" .")[:80]
    return plain or "archive"
