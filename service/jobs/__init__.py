"""Jobs of the workers, and the dispatcher that enqueues them."""
