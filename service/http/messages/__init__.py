"""What requests and answers are made of: bodies, problems, caching and links."""
