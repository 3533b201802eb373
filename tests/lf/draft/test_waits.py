"""What federates wait for, in the words of all versions, and the defaults, which changed."""

from __future__ import annotations

import pytest

from ddsrta.base.diagnostics import InputError
from ddsrta.lf.draft import read
from tests.lf.draft.drafted import (
    DECENTRALIZED,
    MS,
    SINK,
    SOURCE,
    federation,
    save,
)

SINKS = {
    "reactor Sink(STP_offset: time = 4 ms) { input in: int }": 4 * MS,
    "reactor Sink(sta: time = 5 ms) { input in: int }": 5 * MS,
    "reactor Sink(STA = forever) { input in: int }": "forever",
    "reactor Sink(STP_offset: time(0)) { input in: int }": 0,
    "reactor Sink(STA: int = 3) { input in: int }": 200_000,  # no time: the attribute counts
    "reactor Sink { input in: int }": 200_000,
}


class TestWaits:
    """The spellings of all versions, and the defaults, which changed."""

    PAIR = DECENTRALIZED + SOURCE + SINK
    PAIR += "federated reactor { s = new Source()  d = new Sink()  s.out -> d.in }"

    @pytest.mark.parametrize(("sink", "wait"), SINKS.items())
    def test_the_parameter_wins_over_the_attribute(self, tmp_path, sink, wait):
        text = DECENTRALIZED + sink + "\nfederated reactor { @maxwait(200 us) d = new Sink() }"
        assert federation(tmp_path, text).federates["d"].maxwait == wait

    def test_the_value_of_the_instance_counts(self, tmp_path):
        text = (
            DECENTRALIZED
            + "reactor Sink(STA: time = 1 ms) {}\nfederated reactor(w: time = 8 ms) { d = new Sink(STA = w) }"
        )
        assert federation(tmp_path, text).federates["d"].maxwait == 8 * MS

    @pytest.mark.parametrize(
        ("version", "wait"),
        [
            ("0.9.0", 0),
            ("0.12.1", 0),
            ("0.13.0", "forever"),
            ("0.14", "forever"),
            (None, "forever"),
        ],
    )
    def test_the_default_depends_on_the_version(self, tmp_path, version, wait):
        federates = federation(tmp_path, self.PAIR, version=version).federates
        assert federates["d"].maxwait == wait
        assert federates["s"].maxwait is None  # it reads nothing, so it never waits

    def test_a_physical_input_is_waited_for(self, tmp_path):
        """In a run the receiver began with its second tag when the sender had ended, 943 ms late."""
        text = self.PAIR.replace("s.out -> d.in", "s.out ~> d.in")
        assert federation(tmp_path, text, version="0.13.0").federates["d"].maxwait == "forever"

    def test_without_a_version_the_default_is_a_guess(self, tmp_path):
        draft = read([save(tmp_path, self.PAIR)])
        assert any("'maxwait' of d" in guess for guess in draft.guesses())

    @pytest.mark.parametrize(
        ("attribute", "tail", "wait"),
        [("", "", None), ("@absent_after(3 ms)", "STAA(9 ms) {= =}", 3 * MS), ("", "STAA(9 ms) {= =}", 9 * MS),
         ("@absent_after(0)", "STP(9 ms) {= =}", 9 * MS), ("", "tardy {= =}", None)],
    )  # fmt: skip
    def test_absent_after(self, tmp_path, attribute, tail, wait):
        text = (
            DECENTRALIZED
            + SOURCE
            + f"""
        reactor Sink {{ input in: int  reaction(in) {{= =}} {tail} }}
        federated reactor {{ s = new Source()  d = new Sink()  {attribute} s.out -> d.in }}"""
        )
        assert federation(tmp_path, text).connections[0].absent_after == wait

    @pytest.mark.parametrize(
        ("version", "after", "wait"),
        [("0.9.1", "after 4 ms", 5 * MS), ("0.9.1", "after 10 ms", 0), ("0.9.1", "", 9 * MS),
         ("0.10.0", "after 4 ms", 9 * MS), (None, "after 4 ms", 9 * MS)],
    )  # fmt: skip
    def test_old_versions_take_after_off(self, tmp_path, version, after, wait):
        text = (
            DECENTRALIZED
            + SOURCE
            + f"""
        reactor Sink {{ input in: int  reaction(in) {{= =}} STAA(9 ms) {{= =}} }}
        federated reactor {{ s = new Source()  d = new Sink()  s.out -> d.in {after} }}"""
        )
        assert federation(tmp_path, text, version=version).connections[0].absent_after == wait
        if version is None:
            draft = read([save(tmp_path, text)])
            assert any("was taken off" in guess for guess in draft.guesses())

    def test_versions_that_wait_for_what_they_know_are_refused(self, tmp_path):
        with pytest.raises(InputError, match="wait at each tag"):
            federation(tmp_path, self.PAIR, version="0.8.1")

    def test_absent_after_of_contained_reactors(self, tmp_path):
        text = (
            DECENTRALIZED
            + SOURCE
            + """
        reactor Inner { input in: int  reaction(in) {= =} STP(6 ms) {= =} }
        reactor Sink { input in: int  i = new Inner()  in -> i.in  reaction(in) {= =} STP(2 ms) {= =} }
        federated reactor { s = new Source()  d = new Sink()  s.out -> d.in }"""
        )
        assert federation(tmp_path, text).connections[0].absent_after == 6 * MS
