"""Verifying records that somebody uploads: by the same tool that everybody can run, in a process of its own."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryFile
from typing import IO, Any, Final

import msgspec
from flask import Response, request

from service.http.context.limits import shares_of
from service.http.context.places import Places
from service.http.context.services import services
from service.http.contract.access import ANYBODY
from service.http.contract.operation import Operation, Resource
from service.http.contract.problems import of
from service.http.messages.bodies import json_response
from service.http.messages.problems import Problem
from service.http.messages.reading import LARGEST_UPLOAD, save_body
from service.http.schemas.queries import RECORD_MEDIA_TYPES, VerificationQuery
from service.verification import confined, drawing

LARGEST_RECORD: Final = LARGEST_UPLOAD
"""Bytes of an uploaded record at most, plain or gzipped."""
SECONDS: Final = 60
"""How long a verification may take."""
AT_ONCE: Final = 2
"""Verifications under way in one process of the interface at most."""
OF_ONE: Final = 1
"""Of these of one caller, and of one address, at most."""
_FINE, _FINDING = 0, 1
_ENDS: Final = (_FINE, _FINDING, drawing.TOO_LARGE)
_TOO_LARGE: Final = "Send it gzipped, or verify it yourself: fieldbook replay verify."

blueprint = Resource("verifications", __name__, url_prefix="/v1/verifications", description="Verifications")
_RECORD = {"description": "A record, as it was downloaded: its bytes, whatever they are."}
_places = Places()


@blueprint.post("")
@Operation(
    ANYBODY,
    "VerificationAnswer",
    of(422, "verification_too_long") | of(503, "too_many_verifications"),
    body=dict.fromkeys(RECORD_MEDIA_TYPES, _RECORD),
)
@blueprint.arguments(VerificationQuery, location="query")
def verify_record(query: dict[str, Any]) -> Response:
    """Verify a record, sent as the body; `signed_here` says whether this service signed it. Nothing is kept.

    With `text` its tables come too, up to where it does not verify; `history` is null where it has none.
    """
    if request.mimetype not in RECORD_MEDIA_TYPES:
        raise Problem(415, "unsupported_media_type", f"Send the record as {' or '.join(RECORD_MEDIA_TYPES)}.")
    with TemporaryFile() as record:
        # Before a place is taken: who sends slowly, or nothing, must not hold one.
        save_body(record, LARGEST_RECORD, "A record sent here", _TOO_LARGE)
        with _place():
            report = _verify(record, audit=query["audit"])
            history = _draw(record, query["text"]) if query["text"] is not None else None
    verification = report["verification"] if query["audit"] else report
    signed_here = any(verification["signed_by"] == each.key for each in services().signing_keys.published)
    engines = {"engines": report["engines"]} if query["audit"] else {}
    drawn = {"history": history} if query["text"] is not None else {}
    return json_response(
        {"ok": report["ok"], "signed_here": signed_here, "verification": verification, **engines, **drawn}
    )


@contextmanager
def _place() -> Iterator[None]:
    """Hold one of the places for verifying.

    Raises:
        Problem: 503 where none is free, or the caller has one.
    """
    shares = shares_of(AT_ONCE, OF_ONE)
    if _places.take(shares) is not None:
        detail = (
            "Other records are being verified, or another one of yours; try again, or verify it yourself: fieldbook"
            " replay verify."
        )
        raise Problem(503, "too_many_verifications", detail, headers={"Retry-After": "5"})
    try:
        yield
    finally:
        _places.give_back(shares)


def _verify(record: IO[bytes], *, audit: bool) -> dict[str, Any]:
    done = _run(record, "audit" if audit else "verify", "-", "--json")
    report: dict[str, Any] = msgspec.json.decode(done.stdout)
    return report


def _draw(record: IO[bytes], language: str) -> msgspec.Raw | None:
    """The record's tables; None where it has none."""
    record.seek(0)
    done = _run(record, "draw", language)
    if done.returncode == drawing.TOO_LARGE:
        raise _too_long(f"more than {drawing.LARGEST} bytes of tables")
    return msgspec.Raw(done.stdout) if done.returncode == _FINE else None


def _run(record: IO[bytes], *arguments: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", confined.__name__, *arguments]
    try:
        done = subprocess.run(command, stdin=record, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise _too_long(f"more than {SECONDS} seconds") from None
    # A library that does not look whether it got its memory ends by a signal.
    if done.returncode == confined.OUT_OF_MEMORY or done.returncode < 0:
        raise _too_long(f"more than {confined.MEMORY} bytes of memory")
    if done.returncode not in _ENDS and not done.stdout:
        raise RuntimeError(f"the verification ended with {done.returncode}: {done.stderr.decode()[-500:]}")
    return done


def _too_long(needs: str) -> Problem:
    detail = f"Verifying this record takes {needs}; do it yourself: fieldbook replay verify."
    return Problem(422, "verification_too_long", detail)
