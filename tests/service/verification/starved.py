"""The confined verifier with next to no memory: what a test runs in its place."""

from service.verification import confined

if __name__ == "__main__":
    confined.main(memory=1)
