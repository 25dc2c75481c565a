"""The rows in which an earlier release stands beside this one, under the same load (`fieldbook bench --beside`)."""
