"""The ways of messages, and of the news that jobs are complete."""

from __future__ import annotations

from ddsrta.checker.exact.model import Key, Model


def ways_of(model: Model) -> list[Key]:
    """Writer, topic and reader; no topic: the reader follows the writer."""
    found: list[Key] = [
        (name, sent.topic, reader)
        for name in model.system.threads
        for sent in dict.fromkeys(model.sends[name])
        for reader in sent.readers
    ]
    found += [(o, "", name) for o, names in model.followers.items() for name in names]
    return list(dict.fromkeys(found))
