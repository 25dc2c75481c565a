"""The JavaScript client in a Node process of its own, told line by line what to do."""

import json
import subprocess
from typing import Any, Final, Self

from tests.support.second_verifier import node_program
from tests.support.servers import ROOT

_ANSWERING: Final = ROOT / "tests" / "replay" / "javascript_client" / "answering.mjs"


class Rejected(Exception):
    """An error of the client: `found` has its name and its members."""

    def __init__(self, found: dict[str, Any]) -> None:
        """Keep what is known of it."""
        super().__init__(found["message"])
        self.found = found
        self.name: str = found["name"]


class JavaScriptClient:
    """The client of a service at an address, in Node until this is left."""

    def __init__(self, address: str, patience: int = 30_000) -> None:
        """Start Node; `patience` is in milliseconds."""
        self._where = {"address": address, "patience": patience}
        self._process = subprocess.Popen(
            [node_program(), str(_ANSWERING)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def __enter__(self) -> Self:
        """Return the client."""
        return self

    def __exit__(self, *_: object) -> None:
        """End Node."""
        self._process.kill()
        self._process.communicate(timeout=30)

    def call(self, call: str, **given: Any) -> Any:
        """What a call comes to (`answering.mjs`).

        Raises:
            Rejected: it came to an error.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"call": call, **self._where, **given}).encode() + b"\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        if "rejected" in answer:
            raise Rejected(answer["rejected"])
        return answer.get("found")

    def ask(self, method: str, path: str, **asked: Any) -> Any:
        """The answer of the service; `token`, `values`, `body`, `key` and `headers` as the client takes them."""
        return self.call("ask", method=method, path=path, **asked)

    def heard(self, name: str) -> dict[str, Any]:
        """What a stream that is followed has told so far, when it was connected, and how it has ended."""
        found: dict[str, Any] = self.call("heard", name=name)
        return found
