from __future__ import annotations

import pytest

from stepscope.core.errors import UserError


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (UserError("There is no run 'x'.", hint="See `stepscope runs list`."), "There is no run 'x'."),
        (
            UserError("Run a is paused, not done.", hint="Finish it first: stepscope evaluate --resume."),
            "Run a is paused, not done.",
        ),
        (
            UserError("these are predictions", place="p.jsonl", hint="Import them (File ▸ Import, or --predictions)."),
            "p.jsonl: these are predictions. Import them (File ▸ Import).",
        ),
        (UserError("not a folder", place="stepscope data", hint="Put it back."),
         "stepscope data: not a folder. Put it back."),
        (UserError("read-only", hint="Mend it or choose another with --store."), "read-only. Mend it."),
        (UserError("too large", hint="Raise it (--limit-x, or Preferences)."), "too large. Raise it (Preferences)."),
        (UserError("no device", hint="Plug one in. 'stepscope devices' lists them. Or simulate one."),
         "no device. Plug one in. Or simulate one."),
    ],
)  # fmt: skip
def test_a_window_names_no_commands(error: UserError, said: str) -> None:
    assert error.words_in_window == said
    assert error.hint in str(error)
