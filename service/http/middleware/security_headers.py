"""Headers that tell browsers what an answer is not: no page to run, to frame, to keep or to leak from."""

from typing import Final

from flask import Flask, Response

HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
}
"""What holds where a view says nothing else; pages bring a policy of their own."""


def security_headers(hsts_seconds: int) -> dict[str, str]:
    """What every answer says that says nothing else."""
    hsts = {"Strict-Transport-Security": f"max-age={hsts_seconds}"} if hsts_seconds else {}
    return HEADERS | hsts


def add_security_headers(app: Flask, hsts_seconds: int) -> None:
    """Send them with every answer; with `hsts_seconds` also tell browsers to use HTTPS only, for so long."""
    missing = {name.lower(): (name, value) for name, value in security_headers(hsts_seconds).items()}

    def add(response: Response) -> Response:
        said = {name.lower() for name, _ in response.headers}
        response.headers.extend([each for name, each in missing.items() if name not in said])
        return response

    app.after_request(add)
