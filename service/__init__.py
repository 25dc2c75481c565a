"""HTTP, jobs and projections: everything that touches the world."""
