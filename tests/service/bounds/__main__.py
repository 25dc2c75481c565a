"""Write docs/limits.md anew: `python -m tests.service.bounds`."""

from tests.service.bounds.table import document
from tests.support.servers import ROOT

if __name__ == "__main__":
    (ROOT / "docs" / "limits.md").write_text(document(), encoding="utf-8")
