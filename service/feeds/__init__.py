"""Following the partitions' feeds: one loop for everybody who does it."""
