"""`python -m stepscope` is the command `stepscope`."""

from __future__ import annotations

import sys

from stepscope.app.main import main

if __name__ == "__main__":
    sys.exit(main())
