"""What stands in the log: one line a request, with its id, and never what must not be told."""

import json
import logging
import re
from collections.abc import Iterator
from io import StringIO

import pytest

from service.platform.process_logging import JsonLines, TextLines, without_secrets
from service.platform.tracing import begin_trace, current_trace, end_trace
from tests.service.in_process import InProcess

PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


@pytest.fixture
def lines() -> Iterator[StringIO]:
    """What the requests' log says, as JSON lines."""
    written = StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(JsonLines())
    log = logging.getLogger("fieldbook")
    before = log.level
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    yield written
    log.setLevel(before)
    log.removeHandler(handler)


def test_a_request_is_one_line(api: InProcess, lines: StringIO) -> None:
    """Method, route template, status, time, size, request id, and the caller's key by the hash of its token."""
    party = api.people()
    api.call(
        "GET", f"/v1/games/{party.game}?as=seat:0", token=party.tokens[0], headers={"X-Request-Id": "mine-1"}
    )
    found = [json.loads(line) for line in lines.getvalue().splitlines()]
    assert [each["route"] for each in found] == ["/v1/games", "/v1/games/{game}"]
    line = found[1]
    assert (line["method"], line["status"], line["request_id"]) == ("GET", 200, "mine-1")
    assert line["ms"] > 0
    assert line["bytes"] > 500
    assert re.fullmatch(r"seat:[0-9a-f]{8}", line["caller"])
    assert re.fullmatch(r"key:[0-9a-f]{8}", found[0]["caller"])
    assert line["level"] == "info"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00", line["at"])


def test_an_error_names_its_request(api: InProcess, lines: StringIO) -> None:
    """The same id in the header, in the problem document and in the log."""
    answer = api.call(
        "GET", "/v1/games/nobody", headers={"X-Request-Id": "abc.DEF-12_3", "traceparent": PARENT}
    )
    assert answer.headers["x-request-id"] == answer.json["request_id"] == "abc.DEF-12_3"
    line = json.loads(lines.getvalue())
    assert (line["request_id"], line["problem_code"]) == ("abc.DEF-12_3", "game_not_found")
    assert line["trace_id"] == "4bf92f3577b34da6a3ce929d0e0e4736"


def test_a_stream_is_logged_once_it_is_closed(api: InProcess, lines: StringIO) -> None:
    """With all the bytes that were sent."""
    game = api.stored(seed=3).id
    response = api.app.test_client().get(f"/v1/games/{game}/events", headers={"Accept": "text/event-stream"})
    assert lines.getvalue() == ""
    sent = len(response.data)
    response.close()
    line = json.loads(lines.getvalue())
    assert (line["route"], line["bytes"]) == ("/v1/games/{game}/events", sent)


def test_probes_are_not_logged(api: InProcess, lines: StringIO) -> None:
    """They come every few seconds, for ever."""
    for path in ("/healthz", "/readyz", "/metrics"):
        api.call("GET", path)
    assert lines.getvalue() == ""


@pytest.mark.parametrize(
    "sent", ["", "x" * 65, "a b", "a\tb", "\N{SNOWMAN}", 'a"b', "fbk_0123456789abcdef", "my-fbs_0123", "a;b"]
)
def test_an_unusable_request_id_is_replaced(sent: str) -> None:
    """What is taken over is printed, so it is short, plain, and no token."""
    assert re.fullmatch(r"[0-9a-f]{16}", begin_trace(sent, None).request_id)
    end_trace()


@pytest.mark.parametrize(
    "sent",
    [
        "",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
        PARENT + "\n",
    ],
)
def test_a_malformed_trace_is_left_out(sent: str) -> None:
    """W3C Trace Context, section 3.2.2.3: then it is as if none had been sent."""
    assert begin_trace(None, sent).trace_id is None
    end_trace()
    assert current_trace() is None


def test_a_trace_of_a_later_version_is_understood() -> None:
    """Section 3.2.4: what is known of it has the same place."""
    assert begin_trace(None, "01" + PARENT[2:] + "-more").trace_id == "4bf92f3577b34da6a3ce929d0e0e4736"
    end_trace()


@pytest.mark.parametrize("formatter", [TextLines(), JsonLines()], ids=["text", "json"])
def test_tokens_and_passwords_are_blacked_out_wherever_they_come_from(formatter: logging.Formatter) -> None:
    """In the sentence, in a field, in a traceback: the last line of defence."""
    written = StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(formatter)
    token, seat = "fbk_" + "0a" * 20, "fbs_" + "1b" * 20
    error = ValueError(f"{seat} at redis://user:hunter2@host/0 or unix:///run/s.sock?db=1&password=hunter2")
    record = logging.LogRecord("x", logging.ERROR, "", 1, "token %s", (token,), (ValueError, error, None))
    record.fields = {"query": f"ticket={seat}"}
    handler.emit(record)
    said = written.getvalue()
    assert "0a0a" not in said
    assert "1b1b" not in said
    assert "hunter2" not in said
    assert "fbk_..." in said


def test_what_is_no_secret_stays() -> None:
    """Names of our own functions and ordinary addresses."""
    for text in ("fieldbook_append", "https://beans.example/a@b", "fb_x", "GET /v1/games 200"):
        assert without_secrets(text) == text


def test_long_text_takes_linear_work() -> None:
    """A client chooses parts of what is logged; quadratic work would stop the process for hours here."""
    text = "@ http://" + ":" * 500_000
    assert without_secrets(text) == text
