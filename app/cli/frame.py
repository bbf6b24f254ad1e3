"""What happens around every command: how it ends, and what is said when it cannot do its work.

Expected trouble is one line on stderr and status 2. A bug is one line too, with the place of its traceback (which
STEPSCOPE_DEBUG=1 shows at once) and a status of its own, so that a script never takes it for bad input.
"""

from __future__ import annotations

import os
import sys
import traceback
from datetime import UTC, datetime
from pathlib import Path

from stepscope.app.cli.failures import failure_line, sentence, system_line
from stepscope.app.cli.output import calm_streams, close_quietly, one_line, tell
from stepscope.app.cli.statuses import BAD_INPUT, DONE, INTERNAL_ERROR, INTERRUPTED
from stepscope.app.services.limit_options import take
from stepscope.core.drafts import is_full
from stepscope.core.errors import UserError
from stepscope.core.plain_text import safe

DEBUG_VARIABLE = "STEPSCOPE_DEBUG"
LOG_NAME = "command-line.log"
_LOG_LIMIT = 1_000_000


def run_reporting_errors(arguments: list[str]) -> int:
    """Run the command in `arguments` and answer for whatever it raises."""
    calm_streams()
    try:
        from stepscope.app.cli.application import execute

        status = execute(take(arguments))
        sys.stdout.flush()
    except BrokenPipeError:
        close_quietly()
        return DONE
    except KeyboardInterrupt:
        tell("stepscope: interrupted.")
        return INTERRUPTED
    except UserError as error:
        return _refused(failure_line(error))
    except OSError as error:
        if error.filename is None and not is_full(error):
            return _broken(error, arguments)
        return _refused(system_line(error))
    except Exception as error:  # noqa: BLE001 - the last frame: every other error is a bug and is told as one
        line = usage_line(error, arguments)
        return _refused(line) if line else _broken(error, arguments)
    return status


def usage_line(error: Exception, arguments: list[str]) -> str:
    """What the argument parser found wrong, "" for an error that is not the parser's."""
    words = getattr(error, "format_message", None)
    if words is None:
        return ""
    command = getattr(getattr(error, "ctx", None), "command_path", "") or "stepscope"
    return f"{sentence(one_line(words()))} See '{command} --help'."


def _refused(line: str) -> int:
    tell(f"stepscope: {one_line(line)}")
    return BAD_INPUT


def _broken(error: Exception, arguments: list[str]) -> int:
    """A bug: logged whole, told in one line."""
    report = "".join(traceback.format_exception(error))
    if os.environ.get(DEBUG_VARIABLE, "") not in ("", "0"):
        for line in report.rstrip().splitlines():
            tell(line)
    where = _log(report, arguments)
    kept = f"The traceback is in {where}." if where else f"Set {DEBUG_VARIABLE}=1 to see the traceback."
    tell(f"stepscope: internal error: {one_line(f'{type(error).__name__}: {error}')}. {kept} Please report it.")
    return INTERNAL_ERROR


def _log(report: str, arguments: list[str]) -> Path | None:
    """Append the report to the log, which starts anew when it is long. Arguments are left out: they may hold keys."""
    from stepscope.app.services.version import VERSION
    from stepscope.core.settings import user_log_dir

    path = user_log_dir() / LOG_NAME
    command = arguments[0] if arguments else ""
    head = f"{datetime.now(UTC).isoformat(timespec='seconds')} {VERSION} {command}\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = not path.exists() or path.stat().st_size > _LOG_LIMIT
        with path.open("w" if fresh else "a", encoding="utf-8", errors="backslashreplace") as log:
            log.write(safe(head + report, keep_lines=True) + "\n")
    except OSError:
        return None
    return path
