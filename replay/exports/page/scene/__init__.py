"""A table as a page shows it: parts by their names, each a small value that is ready to be drawn.

An event changes little of a table. So a part is made anew only when something of what it is made of has changed, and
what several viewers see alike is made once for all of them.
"""

from replay.exports.page.scene.scenes import Change, Scene, Scenes, SeatScenes, rank

__all__ = ["Change", "Scene", "Scenes", "SeatScenes", "rank"]
