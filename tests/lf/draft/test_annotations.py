"""What a draft is told beside the program, and what it guesses."""

from __future__ import annotations

import pytest

from ddsrta.base.diagnostics import InputError
from ddsrta.formats.yaml_writer import write
from ddsrta.lf.draft import read
from tests.lf.draft.drafted import (
    CENTRALIZED,
    DECENTRALIZED,
    MS,
    SINK,
    SOURCE,
    federation,
    save,
)


class TestAnnotations:
    PROGRAM = (
        CENTRALIZED
        + SOURCE
        + SINK
        + "federated reactor { s = new Source()  d = new Sink()  e = new Sink()  (s.out)+ -> d.in, e.in }"
    )

    def read(self, tmp_path, text: str):
        return federation(
            tmp_path, self.PROGRAM, annotations=save(tmp_path, "annotations: 1\n" + text, "a.yaml")
        )

    def test_an_instance_wins_over_its_class(self, tmp_path):
        found = self.read(
            tmp_path, "reactions: {Sink.reaction_1: 3ms, e.reaction_1: {wcet: 2ms, bcet: 1ms}}"
        )
        times = [found.federates[name].reactions["reaction_1"] for name in "sde"]
        assert [(t.wcet, t.bcet) for t in times] == [(MS, 0), (3 * MS, 0), (2 * MS, MS)]

    def test_parameters_rti_and_clocks(self, tmp_path):
        found = self.read(
            tmp_path,
            "parameters: {s.period: 40ms}\nclock_error: 5us\nrti: {hop: {worst: 9us, best: 1us}, service: 2us}",
        )
        assert found.federates["s"].timers["t"].period == 40 * MS
        assert (found.rti.hop.worst, found.rti.hop.best, found.rti.service) == (9000, 1000, 2000)
        assert found.hosts["localhost"].clock_error == 5000

    def test_network_and_actions(self, tmp_path):
        text = (
            DECENTRALIZED
            + "reactor P { physical action a: int  reaction(a) {= =} }\nfederated reactor { p = new P() at x;  q = new P() at y; }"
        )
        notes = (
            "annotations: 1\nnetwork: {delay: 7us, best: 2us}\nactions: {P.a: {min_spacing: 3ms}}"
        )
        found = federation(tmp_path, text, annotations=save(tmp_path, notes, "a.yaml"))
        assert len(found.network) == 4 and found.network["x", "y"].worst == 7000
        assert found.federates["q"].actions["a"].min_spacing == 3 * MS

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("reactions: {s.reaction_2: 1ms}", "a.yaml:2:27: there is no reaction 's.reaction_2'; did you mean 's.reaction_1'?"),
            ("parameters: {Source.periode: 1ms}", "a.yaml:2:30: there is no parameter 'Source.periode'; did you mean 'Source.period'?"),
            ("reactions: {s.reaction_1: 5}", "a.yaml:2:27: "),
            ("reaction: {}", "a.yaml:2:1: unknown key 'reaction'"),
        ],
    )  # fmt: skip
    def test_mistakes(self, tmp_path, text, message):
        with pytest.raises(InputError) as caught:
            self.read(tmp_path, text)
        assert str(caught.value).replace(f"{tmp_path}/", "").startswith(message)


def test_what_is_guessed_is_marked(tmp_path):
    text = write(
        read(
            [
                save(
                    tmp_path,
                    DECENTRALIZED
                    + SOURCE
                    + SINK
                    + "federated reactor { s = new Source() at x;  d = new Sink() at y;  s.out -> d.in }",
                )
            ]
        )
    )
    assert text.startswith(
        "# Drafted from the program Program.lf: look at every guess.\nfederation: 1\n"
    )
    for part in (
        "clock_error: 1ms  # guessed",
        "wcet: 1ms  # guessed",
        "workers: 1  # guessed",
        "delay: 1ms}  # guessed",
        "maxwait: forever  # guessed",
    ):
        assert part in text
