"""The read models that the projector keeps and that a rebuild builds anew."""

from typing import Final

from service.projections.game_projection import GameProjection
from service.projections.projection import Projection

PROJECTIONS: Final[tuple[type[Projection], ...]] = (GameProjection,)
"""Every declared one; a new read model is named here."""
