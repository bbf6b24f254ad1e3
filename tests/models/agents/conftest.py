"""The misbehaving chat server and settings of the test's own."""

from tests.models.chat.conftest import free_port, own_home, ring, stage, waiting  # noqa: F401
