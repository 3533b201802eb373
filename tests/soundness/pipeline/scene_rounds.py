"""Messages of a scene that go round until a counter ends it: G hears A, and what comes back to it."""

from __future__ import annotations

from typing import Any

from tests.soundness.pipeline.registry import NONE

Raw = dict[str, Any]
MOST_ROUNDS = 3


class Rounds:
    """A circle of one thread to three, of which a callback of X may be the second."""

    def circle(self) -> None:
        """G0 reads A from outside; the last of them closes the circle."""
        if self.row["rounds"] == NONE:
            return
        random, data = self.random, self.data
        length, rounds = random.randint(1, 3), random.randint(1, MOST_ROUNDS)
        for number in range(length):
            data["topics"][f"Y{number}"] = {"size": "1B", **self.by_policy("topic_keys")}
            self.sizes[f"Y{number}"] = 1
        path = ["S", "A", "G0"]
        for number in range(length):
            read = f"Y{number - 1 if number else length - 1}"
            sent = self.sending(f"Y{number}", mine=number == 0 and self.chance(0.5))
            if number == length - 1:
                sent["rounds"] = rounds
            topics = [read] if number else random.choice((["A", read], [read, "A"]))
            self._going(number, topics, sent)
            path += [read, f"G{number}"] if number else []
        path += [f"Y{length - 1}", *path[2:]] * random.randint(0, rounds)
        data["chains"]["round"] = {"path": path, "deadline": self.time(random.choice((2, 6)))}
        if self.chance(0.3):
            data["chains"]["round"]["constraint"] = "trigger_latency"

    def _going(self, number: int, topics: list[str], sent: Raw) -> None:
        """A thread of the circle, or a callback of X: on the sender's machine, if it sends by F."""
        drawn: Raw = {**self.work(5), "publishes": [sent]}
        by_f = "flow_controller" in sent
        if number == 1 and self.is_callback and not by_f and self.chance(0.5):
            self.callback("G1", {**drawn, "subscribes": self.reading(topics, "LR")})
            return
        name, machine = f"G{number}", "m" if by_f else self.random.choice(("m", self.there))
        place = self.near_sender(name) if machine == "m" else self.alone(machine, name)
        if machine != self.there:
            self.data["listeners"].setdefault("LY", self.alone("m", "LY"))
        listener = "LZ" if machine == self.there else "LY"
        read = self.reading(topics, listener)
        self.data["threads"][name] = {**place, **drawn, "subscribes": read}
