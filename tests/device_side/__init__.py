"""The device side of ADB on a loopback port: no phone, and real at the wire. `device.DeviceSide` is the way in."""
