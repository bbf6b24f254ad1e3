"""A way to a PostgreSQL server that can lose the server's word of a commit."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress

_ENOUGH = 1 << 16


class DeafProxy:
    """Passes on what a client and a server on loopback ports say. `lose_next_commit`: the next COMMIT reaches the
    server and is done, and what it answers is lost with the connection."""

    def __init__(self, server_port: int) -> None:
        self._server_port = server_port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listening.getsockname()[1])
        self.lost = 0
        self._is_armed = False
        threading.Thread(target=self._serve, daemon=True).start()

    def lose_next_commit(self) -> None:
        self._is_armed = True

    def close(self) -> None:
        self._listening.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                server = socket.create_connection(("127.0.0.1", self._server_port))
                threading.Thread(target=self._ask, args=(client, server), daemon=True).start()
                threading.Thread(target=self._answer, args=(client, server), daemon=True).start()

    def _ask(self, client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):
            while said := client.recv(_ENOUGH):
                if self._is_armed and said == b"Q\0\0\0\x0bCOMMIT\0":
                    client.shutdown(socket.SHUT_WR)  # what is answered from now on has nowhere to go
                    self._is_armed = False
                    self.lost += 1
                server.sendall(said)
            server.shutdown(socket.SHUT_WR)

    def _answer(self, client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):
            while said := server.recv(_ENOUGH):
                client.sendall(said)
        client.close()
        server.close()
