"""Demonstrations on the fake phone, as episodes."""

from __future__ import annotations

from pathlib import Path

from stepscope.core.domain.action import Action, Tap, Target
from stepscope.core.domain.elements import UITree
from stepscope.core.domain.episode import Episode, Observation, Picture, Platform, Step
from tests.core.device.fake import FakeDevice


class Demonstrator:
    """Demonstrations on the fake phone, with their pictures in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.count = folder, 0

    def show(self, *actions: Action | str, phone: FakeDevice | None = None, trees: bool = True) -> Episode:
        """One demonstration; a word is a tap on the row of that name."""
        phone = phone or FakeDevice()
        steps = []
        for action in (*actions, None):
            seen, tree = self._seen(phone, trees)
            done = action
            if isinstance(action, str):
                box = next(one.box for one in phone.tree() if one.text == action)
                done = Tap(phone.place(action), Target(box, action) if tree is not None else None)
            steps.append(Step(len(steps), seen, done))  # type: ignore[arg-type]
            if done is not None:
                phone.perform(done)  # type: ignore[arg-type]
        self.count += 1
        return Episode(str(self.count), "recording", Platform.ANDROID, "", tuple(steps), "org.example.shop")

    def _seen(self, phone: FakeDevice, trees: bool) -> tuple[Observation, UITree | None]:
        path = self.folder / f"{len(list(self.folder.iterdir()))}.png"
        path.write_bytes(phone.screenshot())
        tree = phone.tree() if trees else None
        return Observation(phone.size, Picture(path, phone.size), tree, None, phone.foreground()), tree
