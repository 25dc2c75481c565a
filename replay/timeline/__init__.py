"""A record as a timeline for one viewer, with random access to every version, and what is computed from it."""
