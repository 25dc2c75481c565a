"""A test that its process does not outlive, as one that hangs, fails once and is not run again.

pytest-xdist gives what a dead process left undone to the others, with the test that it died of: that one would end a
process after the other, ten minutes each. See `faulthandler_timeout` in `pyproject.toml`.
"""

from typing import Any

import pytest
from xdist.scheduler import LoadGroupScheduling
from xdist.workermanage import WorkerController


class EachOnce(LoadGroupScheduling):  # type: ignore[misc]  # xdist tells no types
    """Groups of tests stay in one process; a test that a process died of is done."""

    def remove_node(self, node: WorkerController) -> str | None:
        """Take what a process has not done for the others, and return the name of the test that it died of."""
        for group in self.assigned_work[node].values():
            for name, is_done in group.items():
                if not is_done:
                    group[name] = True
                    super().remove_node(node)
                    return str(name)
        super().remove_node(node)
        return None


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> EachOnce | None:
    """Spread groups of tests by our own rule; any other way is left to pytest-xdist."""
    return EachOnce(config, log) if config.getvalue("dist") == "loadgroup" else None
