"""Write docs/roles.md anew: `python -m tests.service.roles`."""

from pathlib import Path

from tests.service.roles.expectations import document

DOCUMENT = Path(__file__).parents[3] / "docs" / "roles.md"

if __name__ == "__main__":
    DOCUMENT.write_text(document(), encoding="utf-8")
