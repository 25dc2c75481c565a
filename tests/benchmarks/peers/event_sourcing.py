"""eventsourcing (https://eventsourcing.readthedocs.io): events per second of processor time, as JSON.

Run with the peers' Python: `event_sourcing.py EVENTS SECONDS`. An aggregate of so many events is got from the
repository of an application, over and over. All is as its tutorial has it: the aggregate of dogs and tricks, JSON,
and the recorder in memory, which is the fastest there is. Neither snapshots nor a cache: they would skip the folding.
"""

import json
import sys
import time
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event


class Dog(Aggregate):
    """The tutorial's aggregate."""

    @event("Registered")
    def __init__(self, name: str) -> None:
        """Register a dog."""
        self.name = name
        self.tricks: list[str] = []

    @event("TrickAdded")
    def add_trick(self, trick: str) -> None:
        """Add a trick."""
        self.tricks.append(trick)


class TrainingSchool(Application[UUID]):
    """The tutorial's application."""


def main(events: int, seconds: float) -> None:
    """Get the aggregate for so many seconds, after once that does not count."""
    school = TrainingSchool()
    dog = Dog("Fido")
    for number in range(events - 1):
        dog.add_trick(f"trick {number}")
    school.save(dog)
    found = school.repository.get(dog.id)
    if not isinstance(found, Dog) or found.version != events:
        raise SystemExit("The aggregate is not as it was saved.")
    done, began = 0, time.process_time()
    while not done or time.process_time() - began < seconds:
        school.repository.get(dog.id)
        done += events
    print(json.dumps({"rate": done / (time.process_time() - began)}))


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]))
