"""Curves as SVG, by matplotlib (`requirements/analysts.txt`): the same figures always give the same file."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from replay.platform.optional_libraries import require_library

Points = Sequence[tuple[float, float]]


def draw_curves(
    target: Path, across: str, curves: Mapping[str, Points], *, logarithmic: bool = False
) -> None:
    """Draw curves by their names, along the same axis; on logarithmic axes a straight slope is a power.

    Raises:
        NotInstalled: matplotlib is not installed.
        OSError: the file cannot be written.
    """
    require_library("matplotlib", "plots")
    import matplotlib as mpl  # noqa: PLC0415  # only pictures need it
    from matplotlib.figure import Figure  # noqa: PLC0415

    with mpl.rc_context({"svg.hashsalt": "fieldbook", "svg.fonttype": "none"}):
        drawing = Figure(figsize=(8, 5), layout="constrained")
        axes = drawing.subplots()
        for name, points in curves.items():
            axes.plot(*zip(*points, strict=True), marker="o", label=name)
        if logarithmic:
            axes.set_xscale("log")
            axes.set_yscale("log")
        else:
            axes.set_ylim(bottom=0)
        axes.set_xlabel(across)
        axes.grid(visible=True, which="major", alpha=0.3)
        axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
        drawing.savefig(target, metadata={"Date": None, "Creator": None})
