"""Opens the sample in a window without a display and tells, as JSON, how it looks at the scale that QT_SCALE_FACTOR
asks for. test_scale.py starts it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from stepscope.app.gui.shell.display import go_offscreen


def look(folder: Path) -> dict[str, object]:
    from stepscope.app.gui.walk import WindowWalk
    from stepscope.core.domain.action import action_point
    from tests.app.gui.shell.looks import clipped

    walk = WindowWalk(folder)
    walk.open_sample()
    window, view = walk.bench.window, walk.bench.window.replay.view
    step = walk.bench.context.selection.step
    assert step is not None and step.action is not None
    point = action_point(step.action)
    assert point is not None
    x, y = view.viewport.to_view(point)
    ratio, shot = view.devicePixelRatioF(), view.grab().toImage()
    found = {
        "ratio": ratio,
        "pixels": [shot.width(), shot.height()],
        "logical": [view.width(), view.height()],
        "mark": shot.pixelColor(round(x * ratio), round(y * ratio)).name(),
        "cut": sorted(clipped(window)),
    }
    walk.end()
    return found


if __name__ == "__main__":
    go_offscreen()
    print(json.dumps(look(Path(sys.argv[1]))))
