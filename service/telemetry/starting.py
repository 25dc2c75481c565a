"""Switching traces on for a process, where the setting asks for that and the extra is installed."""

from importlib.util import find_spec
from typing import Final

from service.platform.configuration import TRACES, BadSetting
from service.telemetry.spans import record_with

CONTINUED: Final = "continued"
_LIBRARY: Final = "opentelemetry.exporter"


def check_recording() -> bool:
    """Whether traces are to be recorded.

    Raises:
        BadSetting: they are, and what records them is not installed.
    """
    if TRACES.value() == "off":
        return False
    try:
        found = find_spec(f"{_LIBRARY}.otlp.proto.http")
    except ModuleNotFoundError:
        found = None
    if found is None:
        raise BadSetting(
            f"{TRACES.name} is on, and OpenTelemetry is not installed: install requirements/telemetry.txt, or"
            " fieldbook[telemetry]."
        )
    return True


def start_recording(process: str) -> None:
    """Record this process's spans from now on, where that is asked for.

    Raises:
        BadSetting: as `check_recording`.
    """
    if not check_recording():
        return
    # Only here: to import it takes as long as a process may need to start.
    from service.telemetry.recording import SdkRecorder  # noqa: PLC0415

    record_with(SdkRecorder(process, continues=TRACES.value() == CONTINUED))
