"""What PyInstaller makes the program of."""

import sys

from stepscope.app.bundled import main

if __name__ == "__main__":
    sys.exit(main())
