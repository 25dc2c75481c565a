"""What a process does before its work: settings checked, the store opened, a report of what holds."""
