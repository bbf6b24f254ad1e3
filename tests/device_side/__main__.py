"""A test device as a program, for benchmarks and for trying the window: `python -m tests.device_side --help`.

Prints one JSON line with its address once it is plugged in, and obeys lines on standard input: `unplug`, `plug`,
`rotate`, `set NAME VALUE` (a switch of `faults.Faults`, the value as JSON), `report`. Ends at the end of its input.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from stepscope.core.domain.geometry import Size
from stepscope.core.domain.wire import action_to_json
from tests.device_side.coded import CodedScreens, load
from tests.device_side.device import DeviceSide
from tests.device_side.phone import App, Phone
from tests.device_side.screens import NotePad, RecordedScreens, Screens
from tests.device_side.simulated_screens import SimulatedScreens


def main() -> None:
    options = _parser().parse_args()
    screens = _screens(options)
    phone = Phone(screens)
    if isinstance(screens, SimulatedScreens):
        phone.apps = [App(package) for package in screens.packages]
    device = DeviceSide(phone, port=options.port)
    device.plug_in()
    _say({"address": device.address, "size": [device.phone.size.width, device.phone.size.height]})
    for line in sys.stdin:
        _obey(device, line.split(maxsplit=2))
    device.unplug()
    if isinstance(screens, SimulatedScreens):
        screens.close()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.device_side", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="loopback port; outside 5555 to 5585")
    parser.add_argument("--size", default="1080x2400")
    screens = parser.add_mutually_exclusive_group()
    screens.add_argument("--recording", type=Path, help="a recording's folder, walked through by its own actions")
    screens.add_argument("--fps", type=int, help="a scrolling page with a time code")
    screens.add_argument("--simulated", action="store_true", help="the simulated phone")
    parser.add_argument("--coded", type=Path, help="file with coded pictures of `coded.save`, for --fps")
    parser.add_argument("--clock", type=Path, help="file for the times at which coded pictures left the encoder")
    return parser


def _screens(options: argparse.Namespace) -> Screens:
    width, height = options.size.split("x")
    size = Size(int(width), int(height))
    if options.recording:
        return RecordedScreens.from_folder(options.recording, size)
    if options.fps:
        coded = CodedScreens(size, options.fps, packets=load(options.coded) if options.coded else None)
        if options.clock:
            coded.share_clock(options.clock)
        return coded
    if options.simulated:
        return SimulatedScreens()
    return NotePad(size)


def _obey(device: DeviceSide, words: list[str]) -> None:
    phone = device.phone
    if words == ["unplug"]:
        device.unplug()
    elif words == ["plug"]:
        device.plug_in()
    elif words == ["rotate"]:
        phone.rotate(0 if phone.turned else 1)
    elif words == ["report"]:
        usage = time.process_time()
        _say({"done": [action_to_json(action) for action in phone.done], "processor_seconds": usage})
    elif len(words) == 3 and words[0] == "set" and hasattr(phone.faults, words[1]):
        setattr(phone.faults, words[1], json.loads(words[2]))
    else:
        _say({"error": f"no such order: {' '.join(words)}"})


def _say(value: object) -> None:
    print(json.dumps(value), flush=True)


if __name__ == "__main__":
    main()
