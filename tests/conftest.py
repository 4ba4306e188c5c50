"""What takes longest begins first: at the end no core waits for one that has just begun it."""

from __future__ import annotations

LONGEST = ("test_contributing.py", "test_cluster.py", "test_agreement.py", "test_every_study.py")


def pytest_collection_modifyitems(items) -> None:
    places = {name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.path.name, len(places)))
