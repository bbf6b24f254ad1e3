"""What runs in a process of `indexing`: it reads data sets into the store's index, one after the other until the window
is gone."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Callable

from stepscope.app.services import library
from stepscope.app.services.indexing import told_index
from stepscope.app.services.worker import CheckJob, IndexJob
from stepscope.app.services.worker_child import STORE_PATIENCE_MS, Models, serve
from stepscope.core.plain_text import calm_logs
from stepscope.core.process.own_streams import own_input, own_output
from stepscope.core.progress import CancelToken
from stepscope.core.store.engine import Database


def do(job: IndexJob | CheckJob, token: CancelToken, _models: Models, send: Callable[[object], None]) -> None:
    """Do one job."""
    if not job.store:
        library.warm_up()
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
