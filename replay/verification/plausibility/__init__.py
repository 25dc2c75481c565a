"""Whether an event makes sense on the table as it stood, for any viewer: shared checks, and each system's own."""
