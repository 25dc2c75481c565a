"""Servers on which the log cannot live and which no test can start: they speak the protocol and say what they are."""

import socketserver
import threading
from io import BufferedIOBase
from typing import Self


class StrangeServer:
    """Listens on a loopback port; answers INFO with these lines, CONFIG GET with `no`, all else with OK."""

    def __init__(self, information: str) -> None:
        """Prepare what INFO says."""
        answer = information.replace("\n", "\r\n").encode()

        class Handler(socketserver.StreamRequestHandler):
            """Answers one connection."""

            def handle(self) -> None:
                """Answer command by command."""
                while command := _command(self.rfile):
                    if command[0].upper() == b"INFO":
                        self.wfile.write(b"$%d\r\n%s\r\n" % (len(answer), answer))
                    elif command[0].upper() == b"CONFIG":
                        self.wfile.write(b"*2\r\n$4\r\nname\r\n$2\r\nno\r\n")
                    else:
                        self.wfile.write(b"+OK\r\n")

        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self.url = f"redis://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        """Start answering."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(10)


def _command(stream: BufferedIOBase) -> list[bytes]:
    """The next command's words; none at the end."""
    head = stream.readline()
    words = []
    for _ in range(int(head[1:] or 0)):
        length = int(stream.readline()[1:])
        words.append(stream.read(length + 2)[:-2])
    return words
