"""A server that speaks S3, as a real process on this machine; it forgets everything when it ends."""

import json
import subprocess
import sys
from http.client import HTTPConnection
from typing import Self

from tests.support.processes import free_port
from tests.support.servers import STOP_SECONDS, eventually

BUCKET = "fieldbook"


class RunningS3:
    """The server with one empty bucket."""

    def __init__(self) -> None:
        """Start it on a free port of the loopback address, and wait until it answers."""
        self.port = free_port()
        self.start()

    def start(self) -> None:
        """Start it; it holds nothing but an empty bucket."""
        self._process = subprocess.Popen(
            [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(self.port)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        eventually(self._has_bucket, seconds=60)

    def __enter__(self) -> Self:
        """Return the running server."""
        return self

    def __exit__(self, *_: object) -> None:
        """End it."""
        self.stop()

    @property
    def options(self) -> str:
        """The options of a file system on this server, as a JSON object."""
        return json.dumps({"key": "test", "secret": "test", "endpoint_url": f"http://127.0.0.1:{self.port}"})

    def stop(self) -> None:
        """End it; what it held is gone. Asked to end it would wait for its clients' open connections."""
        self._process.kill()
        self._process.wait(STOP_SECONDS)

    def _has_bucket(self) -> bool:
        """Whether the bucket could be made: the same request again is harmless."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request("PUT", f"/{BUCKET}")
            return connection.getresponse().status == 200
        except OSError:
            return False
        finally:
            connection.close()
