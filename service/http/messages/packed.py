"""Content that is the same for everybody as long as a process runs: packed once, for whoever takes gzip."""

import gzip
import hashlib
from dataclasses import dataclass
from typing import Final, Self

from flask import Response, request

from service.http.messages.caching import unless_known

WORTH_IT: Final = 0.9
"""Packed content is kept where it is smaller than this part of the plain one; a picture is not."""


@dataclass(frozen=True, slots=True)
class Packed:
    """Something to serve, as it is and packed."""

    content_type: str
    plain: bytes
    gzipped: bytes | None
    """None where packing does not make it smaller."""
    tag: str
    """The entity tag of the plain content."""

    @classmethod
    def of(cls, plain: bytes, content_type: str) -> Self:
        """Pack this."""
        gzipped = gzip.compress(plain, mtime=0)
        worth_it = len(gzipped) < WORTH_IT * len(plain)
        return cls(content_type, plain, gzipped if worth_it else None, hashlib.sha256(plain).hexdigest()[:32])

    def answer(self) -> Response:
        """An answer that a browser may keep, if it asks each time whether it is still the newest.

        Packed content is another representation, so it has an entity tag of its own (RFC 9110, 8.8.3.3).
        """
        gzipped = self.gzipped if request.accept_encodings.quality("gzip") else None
        response = Response(self.plain if gzipped is None else gzipped, content_type=self.content_type)
        response.headers["Cache-Control"] = "no-cache"
        response.headers["ETag"] = f'"{self.tag}"' if gzipped is None else f'"{self.tag}-gzip"'
        if gzipped is not None:
            response.headers["Content-Encoding"] = "gzip"
        if self.gzipped is not None:
            response.vary.add("Accept-Encoding")
        return unless_known(response)
