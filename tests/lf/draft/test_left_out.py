"""Nothing of a program is dropped without a word: it is taken, told with its place, or refused."""

from __future__ import annotations

import pytest

from ddsrta.base.diagnostics import InputError
from ddsrta.lf.draft import read
from tests.lf.draft.drafted import SINK, SOURCE, federation, save

PAIR = SOURCE + SINK + "federated reactor { s = new Source()  d = new Sink()  s.out -> d.in }"


def told(folder, text: str) -> list[str]:
    notes = read([save(folder, text)]).left_out
    return [note.replace(f"{folder}/", "") for note in notes]


@pytest.mark.parametrize(
    ("properties", "note"),
    [
        ("timeout: 3 s", "Program.lf:1:11: target property timeout: bounds are those of a run without end"),
        ("clock-sync: off", "Program.lf:1:11: target property clock-sync: how far apart it lets clocks be must be in clock_error"),
        ("fine: 3", "Program.lf:1:11: target property fine: it is not known"),
        ("files: [a], build-type: Release", "Program.lf:1:11: target properties of the build: files, build-type"),
        ("coordination-options: {odd: 1 ms}", "Program.lf:1:34: coordination option odd: it is not known"),
        ("tracing: true", "Program.lf:1:11: target property tracing: what it costs must be in execution times"),
    ],
)  # fmt: skip
def test_target_properties(tmp_path, properties, note):
    assert told(tmp_path, f"target C {{{properties}}}\n" + PAIR) == [note]


def test_a_delay_that_the_compiler_gives_to_one_wire(tmp_path):
    text = f"target C\n{SOURCE}{SINK}federated reactor {{ s = new[2] Source()  d = new[2] Sink()\n"
    note = "lfc gives 'after' of a physical connection to one of its wires: here all have it"
    assert told(tmp_path, text + "s.out ~> d.in after 2 ms }") == [f"Program.lf:5:1: {note}"]
    assert told(tmp_path, text + "s.out ~> d.in }") == []
    assert told(tmp_path, text + "s.out -> d.in after 2 ms }") == []


@pytest.mark.parametrize("properties", ["tracing: false", "DNET: true", "workers: 2"])
def test_properties_that_are_taken(tmp_path, properties):
    assert told(tmp_path, f"target C {{{properties}}}\n" + PAIR) == []


def test_attributes(tmp_path):
    text = """target C
reactor A { @sparse input i: int  @label("x") reaction(i) {= =} }
@label("y") federated reactor { @maxwait(3 ms) a = new A()  @clock_sync("on") @transient b = new A() }"""
    assert told(tmp_path, text) == [
        "Program.lf:3:90: b may join and leave (transient): it counts as there",
        "Program.lf:3:1 and 1 more: @label: plays no part in timing",
        "Program.lf:3:33: @maxwait: has no place here",  # the RTI tells
        "Program.lf:3:61: @clock_sync: has no place here",
        "Program.lf:2:13: @sparse: plays no part in timing",
    ]


@pytest.mark.parametrize(
    ("code", "what"),
    [
        ("lf_set_sta(MSEC(1));", "lf_set_sta() in target code: it changes how long d waits, here it stays"),
        ("lf_set_fed_maxwait(0);", "lf_set_fed_maxwait() in target code: it changes how long d waits, here it stays"),
        ("lf.set_stp_offset(0)", "set_stp_offset() in target code: it changes how long d waits, here it stays"),
        ("lf_update_deadline(self, 0, 1);", "lf_update_deadline() in target code: it changes a deadline, here it stays"),
    ],
)  # fmt: skip
def test_what_target_code_sets(tmp_path, code, what):
    text = "target C {coordination: decentralized}\n" + PAIR.replace(
        "d = new Sink()", "d = new Late()"
    )
    text += f"\nreactor Late {{ input in: int  reaction(startup) {{= {code} =}} }}"
    assert told(tmp_path, text) == [f"Program.lf:5:31: {what}"]


def test_absent_after_where_it_has_no_meaning(tmp_path):
    text = "target C {coordination: decentralized}\n" + PAIR.replace(
        "s.out ->", "@absent_after(1 ms) s.out ~>"
    )
    assert told(tmp_path, text) == ["Program.lf:4:55: @absent_after: has no place here"]


def test_targets(tmp_path):
    assert "target: Cpp" not in told(tmp_path, "target C\n" + PAIR)
    assert federation(tmp_path, "target Cpp\n" + PAIR).target == "Cpp"
    (note,) = told(tmp_path, "target Rust\n" + PAIR)
    assert note.startswith("Program.lf:1:1: the runtime of target Rust")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("target C {fast: true}\n" + PAIR, "1:11: with 'fast' federates do not wait for their time"),
        ("target C\n" + PAIR.replace("s = new", "@fast(true) s = new"), "4:21: with 'fast'"),
        ("target C {clock-sync-options: {test-offset: 3 ms}}\n" + PAIR, "1:32: 'test-offset' moves"),
        ("target C {clock-sync: on, clock-sync-options: {local-federates-on: true}}\n" + PAIR,
         "with 'local-federates-on' federates of one host have clocks of their own"),
        ("target C\n" + PAIR.replace("s.out ->", "reaction(startup) {= =}  s.out ->"),
         "reactions of the federated reactor itself are not modelled"),
    ],
)  # fmt: skip
def test_what_would_make_bounds_too_low_is_refused(tmp_path, text, message):
    with pytest.raises(InputError) as caught:
        read([save(tmp_path, text)])
    assert message in str(caught.value)


def test_federates_of_a_host_away_from_the_rti_have_clocks_of_their_own(tmp_path):
    text = PAIR.replace("Source()", "Source() at rear;").replace("Sink()", "Sink() at rear;")
    found = federation(tmp_path, "target C {coordination: decentralized}\n" + text)
    assert found.clock_error("s", "d") == 2_000_000
    off = federation(tmp_path, "target C {coordination: decentralized, clock-sync: off}\n" + text)
    assert list(off.hosts) == ["rear"]
    assert off.clock_error("s", "d") == 0
