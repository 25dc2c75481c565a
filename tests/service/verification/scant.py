"""The confined verifier with next to no room for tables: what a test runs in its place."""

from service.verification import confined, drawing

if __name__ == "__main__":
    drawing.LARGEST = 100  # type: ignore[misc] # a test's own figure
    confined.main()
