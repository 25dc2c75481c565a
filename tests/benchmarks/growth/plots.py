"""Curves as pictures. Needs matplotlib, which is optional (`requirements/analysts.txt`)."""

from collections.abc import Sequence
from pathlib import Path

from replay.platform.optional_libraries import require_library
from tests.benchmarks.growth.curves import Curve


def plot(curves: Sequence[Curve], target: Path) -> None:
    """Draw curves along the same sizes into an SVG: both axes logarithmic, so that a straight slope is a power.

    Raises:
        NotInstalled: matplotlib is not there.
        OSError: the file cannot be written.
    """
    require_library("matplotlib", "plots")
    import matplotlib as mpl  # noqa: PLC0415  # only who plots needs it, and waits for it
    from matplotlib.figure import Figure  # noqa: PLC0415

    with mpl.rc_context({"svg.hashsalt": "fieldbook", "svg.fonttype": "none"}):
        drawing = Figure(figsize=(8, 5), layout="constrained")
        axes = drawing.subplots()
        for curve in curves:
            axes.plot(curve.sizes, curve.values, marker="o", label=f"{curve.what} ({curve.unit})")
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel(curves[0].along)
        axes.grid(visible=True, which="major", alpha=0.3)
        axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
        drawing.savefig(target, metadata={"Date": None, "Creator": None})
