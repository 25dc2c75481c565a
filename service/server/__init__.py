"""The web server's workers and connections, the embedded store's process, and ending with one's parent."""
