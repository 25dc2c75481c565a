"""HTTP, jobs and projections: everything that touches the world."""

import replay  # noqa: F401 - refuses another package `events` that stands before ours
