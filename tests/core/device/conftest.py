"""Devices over the real adb server."""

from tests.device_side.fixtures import adb_server, plug, started_adb, test_device

__all__ = ["adb_server", "plug", "started_adb", "test_device"]
