"""What a page says of its own scripts and styles, so that a browser takes no others."""

import base64
import hashlib


def source_hash(text: str) -> str:
    """As a content security policy names a script or a style."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
