"""Many finished games read together: where they are, one map over all of them, what was left out and why."""
