"""A disk that cannot be read is not reported as a full one."""

import pytest

from tests.service.in_process import InProcess


@pytest.mark.parametrize(
    "folder", ["/" + "x" * 300, "/proc/self"], ids=["a name that no file system takes", "a disk of size 0"]
)
def test_an_unreadable_disk_is_left_out(api: InProcess, monkeypatch: pytest.MonkeyPatch, folder: str) -> None:
    """`/readyz` has no `disk` and no reason, and `/metrics` has no gauges of it (docs/operating.md, "Metrics")."""
    monkeypatch.setenv("FIELDBOOK_DATA", folder)

    document = api.get("/readyz")

    assert document["disk"] is None
    assert "disk" not in document["degraded"]
    assert not any("disk" in each for each in document["reasons"])
    metrics = api.call("GET", "/metrics").body.decode()
    assert "fieldbook_disk_reserve_bytes" in metrics
    assert "fieldbook_disk_free_bytes" not in metrics
    assert "fieldbook_disk_size_bytes" not in metrics
