"""What becomes of a connection that a client keeps: it ends after some requests, in the way that HTTP has for it."""

from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import pytest

from service.web_worker import MOST_REQUESTS
from tests.support.processes import Service


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """Yield a service that answers."""
    with Service(tmp_path) as service:
        service.start("store", "web")
        service.await_ready()
        yield service


def test_a_connection_ends_after_some_requests_and_is_told_so(service: Service) -> None:
    """RFC 9112, section 9.6: the last answer says `Connection: close`. So clients come back to whoever has time."""
    lengths, answered = list[int](), 0
    with closing(HTTPConnection("127.0.0.1", service.port, timeout=60)) as connection:
        while len(lengths) < 6:
            connection.request("GET", "/healthz")
            answer = connection.getresponse()
            assert (answer.status, bool(answer.read())) == (200, True)
            answered += 1
            if answer.will_close:
                assert answer.getheader("Connection") == "close"
                lengths.append(answered)
                answered = 0

    assert all(MOST_REQUESTS // 2 < each <= MOST_REQUESTS for each in lengths)
    assert len(set(lengths)) > 1, "all clients that began at once would come back at once"
