"""Where connections to the store are: its settings, its durability, its feeds, its partitions and its queues."""
