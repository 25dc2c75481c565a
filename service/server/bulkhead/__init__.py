"""What takes long for one who asks is done in a process of its own: whoever plays shares no interpreter with it."""
