"""A few frequent requests without Flask and without a thread: what goes well there is answered there."""
