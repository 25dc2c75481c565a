"""Numbers that a server reads before an application sees a request, and those in operators' cursors."""

import re
import socket
from base64 import urlsafe_b64encode
from urllib.parse import quote

import pytest

from tests.support.commands import fieldbook
from tests.support.processes import Service


@pytest.mark.parametrize("length", ["1_0", "+5", "-1", "0x5", "1, 2", "5;5", "\u00b2"])
def test_content_length_is_digits(service: Service, length: str) -> None:
    """A length in another form is refused (RFC 9110, section 8.6), not guessed at."""
    head = f"POST /v1/games HTTP/1.1\r\nHost: here\r\nContent-Length: {length}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", service.port), timeout=30) as connection:
        connection.sendall(head.encode("latin-1") + b'{"a":1}    ')
        connection.shutdown(socket.SHUT_WR)
        answer = b"".join(iter(lambda: connection.recv(65_536), b""))
    assert answer.startswith(b"HTTP/1.1 400 "), answer
    assert answer.endswith(b"}")


def test_cursors_of_operators_lists(service: Service) -> None:
    """A cursor is what a page gave; one with other digits is invalid."""
    made = fieldbook("keys", "create", "me", "--kind", "operator", environment=service.environment)
    operator = re.findall(r"fbk_\w+", made.stdout)[0]

    def word(text: str) -> str:
        return urlsafe_b64encode(text.encode()).decode().rstrip("=")

    for path, cursors in {
        "/v1/keys": (word("1_0/fbk"), word("+1/fbk"), word("-1/fbk"), word("x"), "\u0664"),
        "/v1/operator-acts": ("\u0664-0", "1-\u0664", "1_0-0"),
    }.items():
        assert service.api.call("GET", f"{path}?limit=1", token=operator).status == 200
        for cursor in cursors:
            answer = service.api.call("GET", f"{path}?cursor={quote(cursor)}", token=operator)
            assert (answer.status, answer.json["code"]) == (400, "bad_cursor"), (path, cursor, answer.body)
