"""What runs in a process of `indexing`: it reads data sets into the store's index, one after the other until the window
is gone."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from stepscope.app.services import library
from stepscope.app.services.indexing import told_index
from stepscope.app.services.worker import CheckJob, IndexJob
from stepscope.app.services.worker_child import STORE_PATIENCE_MS, Models, serve
from stepscope.core.domain.episode import EpisodeSummary, Platform
from stepscope.core.plain_text import calm_logs
from stepscope.core.process.own_streams import own_input, own_output
from stepscope.core.progress import CancelToken
from stepscope.core.settings import store_url
from stepscope.core.sources import reader_process
from stepscope.core.sources.reader_process import ReadRequest
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import index_claims, sources
from stepscope.core.store.worker import WorkerClaim


def do(job: IndexJob | CheckJob, token: CancelToken, _models: Models, send: Callable[[object], None]) -> None:
    """Do one job."""
    if not job.store:
        _warm_up()
        return
    with Database.open(job.store, busy_timeout_ms=STORE_PATIENCE_MS) as database:
        if isinstance(job, IndexJob):
            found = library.open_indexed(database, job.path, token, again=job.again, as_procedures=job.as_procedures)
            for progress in found:
                send(told_index(progress))
        else:
            library.check_still_there(job.path)
            source = library.source_of(database, job.source_id, job.path, job.format, as_procedures=job.as_procedures)
            for done in library.check_indexed(database, job.source_id, source, token):
                send(done)


@cache
def _warm_up() -> None:
    """Once: it stays warm for the windows that follow."""
    library.warm_up()
    list(reader_process.entries(ReadRequest(Path(), "")))  # what a look at the data needs, here too
    _warm_up_store()


def _warm_up_store() -> None:
    """The store takes 0.15 seconds more when it is used for the first time; the first data set need not wait for
    that."""
    row = EpisodeSummary("", "", None, Platform.TEXT, 0, 0, ())
    worker = WorkerClaim.here()
    with TemporaryDirectory() as folder:
        url = store_url(Path(folder) / "store.db")
        Database.open(url).close()
        with Database.open(url) as known, known.unit_of_work() as db:  # as a window's, which is there before
            made = sources.begin_index(db, "", "", worker)
            sources.add_index(db, made, 0, [row], worker.claim)
            index_claims.sweep(db)
            sources.finish_index(db, made, "", worker.claim)
            sources.find(db, "")


def main() -> None:
    """Serve on the standard streams; whatever else prints goes to the error stream, and whatever else reads finds
    nothing."""
    asked, answers = own_input(), own_output()
    calm_logs()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)  # rows hold no cycles, and looking for some costs a tenth of the time
    with contextlib.suppress(KeyboardInterrupt):
        serve(asked, answers, do)


if __name__ == "__main__":
    main()
