"""An entry of the log: its envelope, its codec with older shapes, and who may see what of it."""
