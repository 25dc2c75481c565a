"""Players across games: opaque ids of the integrators', and beside the logs the names to show for them."""
