"""A recording's pictures and UI trees: files of their own that its steps name."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from stepscope.core.domain.elements import UITree
from stepscope.core.domain.episode import Picture
from stepscope.core.errors import SourceError
from stepscope.core.sources.files import read_json, safe_join, shortened
from stepscope.core.sources.findings import Findings
from stepscope.core.sources.recording_tree import tree_from_json
from stepscope.core.sources.screens import find_picture


@dataclass
class Parts:
    """Opens the files of one recording, each once however many steps name it; what cannot be read becomes a finding of
    each of its steps.

    `count_only`: nothing is opened, the pictures that are there are counted.
    """

    folder: Path
    findings: Findings
    count_only: bool = False
    pictures: int = 0
    _there: dict[str, bool] = field(default_factory=dict)
    _trees: dict[str, UITree | SourceError] = field(default_factory=dict)

    def picture(self, index: int, name: object) -> Picture | None:
        if name is None:
            return None
        if not isinstance(name, str):
            self.findings.add("screenshot must be a file's name", step=index, field="screenshot")
        elif not self.count_only:
            return find_picture(self.folder, name, index, self.findings)
        else:
            self._count(index, name)
        return None

    def _count(self, index: int, name: str) -> None:
        try:
            if name not in self._there:
                self._there[name] = safe_join(self.folder, name).is_file()
            self.pictures += self._there[name]
        except SourceError as error:
            self.findings.add_error(error, step=index, field="screenshot")
        except OSError as error:
            self.findings.add(f"cannot be read: {error.strerror}", step=index, field="screenshot")

    def tree(self, index: int, name: object) -> UITree | None:
        """The step's tree; steps that name one file share one. Raises SourceError as `Findings.tree`."""
        if name is None or self.count_only:
            return None
        if not isinstance(name, str):
            self.findings.add("tree must be a file's name", step=index, field="tree")
            return None
        found = self._trees.get(name)
        if found is None:
            found = self._trees[name] = self._read(name)
            if isinstance(found, UITree):
                return self.findings.tree(found, step=index, field="tree", file=name)
        if isinstance(found, UITree):
            return found
        self.findings.add_error(found, step=index, field="tree")
        return None

    def _read(self, name: str) -> UITree | SourceError:
        try:
            return tree_from_json(read_json(safe_join(self.folder, name)))
        except SourceError as error:
            return error.with_traceback(None)
        except (ValueError, OverflowError) as error:
            return SourceError(str(error), place=shortened(name))
