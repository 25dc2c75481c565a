"""Following a game for those who watch it: waiting, streams, sentences and its cases."""
