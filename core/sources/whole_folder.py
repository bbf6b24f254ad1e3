"""Folders that appear whole or not at all."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from stepscope.core.drafts import advice, reason
from stepscope.core.errors import SourceError, UsageError


@contextmanager
def whole_folder(folder: Path, *, overwrite: bool = False) -> Iterator[Path]:
    """A draft beside `folder` that takes its place when all went well.

    Raises UsageError when `folder` exists and is not empty (unless `overwrite`), SourceError when the disk refuses.
    """
    if folder.exists() and not overwrite and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError("the folder is not empty", place=folder, hint="Choose another or allow overwriting.")
    draft: Path | None = None
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
        yield draft
        draft.chmod(0o755)
        _put_in_place(draft, folder)
    except SourceError as error:
        if isinstance(error.__cause__, OSError) and draft is not None and Path(error.place).is_relative_to(draft):
            raise SourceError(error.message, place=folder, hint=error.hint) from error.__cause__
        raise
    except OSError as error:
        raise SourceError(f"cannot be written: {reason(error)}", place=folder, hint=advice(error)) from error
    finally:
        if draft is not None:
            shutil.rmtree(draft, ignore_errors=True)


def _put_in_place(draft: Path, folder: Path) -> None:
    """Rename `draft` to `folder`; what was there is put aside first and removed after."""
    if folder.exists() and any(folder.iterdir()):
        aside = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}.old."))
        folder.replace(aside)
        draft.replace(folder)
        shutil.rmtree(aside, ignore_errors=True)
    else:
        draft.replace(folder)
