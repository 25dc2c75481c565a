"""What a user would pick instead. Each is installed on request only, and runs in a process of its own."""
