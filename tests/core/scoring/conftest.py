"""Hypothesis keeps its examples outside the repository, where pytest would come upon their folder."""

import os
import tempfile
from pathlib import Path

os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", str(Path(tempfile.gettempdir()) / "stepscope-hypothesis"))
