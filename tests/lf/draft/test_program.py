"""Programs become federations: who is in them, and how they are connected."""

from __future__ import annotations

import pytest

from ddsrta.lf.bounds.offsets.judge import judge
from ddsrta.lf.draft import read
from ddsrta.lf.program.federates import InnerConnection
from ddsrta.lf.program.federation import Rti
from ddsrta.lf.program.tags import MICROSTEP, Shift
from tests.lf.draft.drafted import (
    CENTRALIZED,
    DECENTRALIZED,
    MS,
    SINK,
    SOURCE,
    federation,
    refused,
    save,
)


class TestFederates:
    def test_two(self, tmp_path):
        found = federation(
            tmp_path,
            CENTRALIZED + SOURCE + SINK
            + "federated reactor { s = new Source(period = 20 ms)  d = new Sink()  s.out -> d.in after 3 ms }",
        )  # fmt: skip
        assert found.name == "Program" and found.coordination == "centralized"
        assert found.federates["s"].timers["t"].period == 20 * MS
        assert found.federates["s"].reactions["reaction_1"].effects == ("out",)
        (connection,) = found.connections
        assert (connection.source, connection.target, connection.shift) == ("s", "d", Shift(3 * MS))
        assert found.federates["s"].maxwait is None  # the RTI tells

    def test_a_program_without_a_federation_is_one_federate(self, tmp_path):
        found = federation(
            tmp_path,
            "target C\n"
            + SOURCE
            + SINK
            + "main reactor { s = new Source()  d = new Sink()  s.out -> d.in after 0 }",
        )
        main = found.federates["main"]
        assert list(main.reactions) == ["s.reaction_1", "d.reaction_1"]
        assert main.reactions["s.reaction_1"].reactor == "s"
        assert main.connections == (InnerConnection("s.out", "d.in", MICROSTEP),)

    def test_hosts_workers_and_scheduler(self, tmp_path):
        text = "target C {workers: 3, scheduler: GEDF_NP}\n" + SOURCE + SINK
        text += "federated reactor { s = new Source() at me@pi.lan:123;  d = new Sink() at 127.0.0.1;  s.out -> d.in }"
        found = federation(tmp_path, text)
        assert [f.host for f in found.federates.values()] == ["pi_lan", "localhost"]
        assert found.federates["s"].workers == 3 and found.federates["s"].scheduler == "GEDF_NP"

    @pytest.mark.parametrize(
        ("properties", "workers"),
        [
            ("threads: 2", 2),
            ("single-threaded: true", 1),
            ("threading: false", 1),
            ("workers: 0", 1),
        ],
    )
    def test_spellings_of_workers(self, tmp_path, properties, workers):
        text = f"target C {{{properties}}}\n" + SINK + "federated reactor { d = new Sink() }"
        assert federation(tmp_path, text).federates["d"].workers == workers

    @pytest.mark.parametrize(
        ("properties", "version", "scheduler"),
        [
            ("single-threaded: true", None, "GEDF_NP"),
            ("single-threaded: true, scheduler: NP", None, "GEDF_NP"),
            ("platform: Arduino", None, "GEDF_NP"),
            ('platform: {name: arduino, board: "arduino:mbed:nano33ble"}', None, "NP"),
            ("workers: 1", None, "NP"),
            ("workers: 1", "0.9.0", "GEDF_NP"),
            ("scheduler: NP", "0.9.0", "NP"),
            ("workers: 1", "0.10.0", "NP"),
        ],
    )
    def test_deadlines_make_an_order(self, tmp_path, properties, version, scheduler):
        """On one thread b runs before log, which has the lower level, but the later deadline."""
        text = f"""target C {{{properties}}}
        reactor A {{ output out: int  timer t(0, 100 ms)  reaction(t) -> out {{= =}} }}
        reactor B {{ input x: int  input y: int  reaction(x, y) {{= =}} deadline(30 ms) {{= =}} }}
        reactor Log {{ timer t(0, 100 ms)  reaction(t) {{= =}} deadline(50 ms) {{= =}} }}
        main reactor {{ a = new[2] A()  log = new Log()  b = new B()  a.out -> b.x, b.y }}"""
        found = federation(tmp_path, text, version=version)
        assert found.federates["main"].scheduler == scheduler
        (log, _) = judge(found).starts
        assert log.latest == (3 * MS if scheduler == "GEDF_NP" else 2 * MS)

    def test_without_deadlines_only_levels_count(self, tmp_path):
        text = "target C {single-threaded: true}\n" + SINK + "main reactor { d = new Sink() }"
        assert federation(tmp_path, text).federates["main"].scheduler == "NP"

    def test_words_in_any_case(self, tmp_path):
        text = "target C {coordination: Decentralized}\n" + SINK
        found = federation(tmp_path, text + "federated reactor { d = new Sink() }")
        assert found.coordination == "decentralized"

    def test_two_reactions_of_one_name(self, tmp_path):
        text = "target C\nreactor P { reaction go(startup) {= =} }\n"
        text += "main reactor extends P { reaction go(startup) {= =} }"
        assert "another reaction 'go'" in refused(tmp_path, text)

    def test_members_of_a_bank_that_differ_are_not_interleaved(self, tmp_path):
        text = """target C
        reactor A(bank_index: int = 0) { output[bank_index] out: int }
        reactor D { input in: int }
        main reactor { a = new[3] A()  d = new[3] D()  interleaved(a.out) -> d.in }"""
        assert "members of the bank 'a' differ" in refused(tmp_path, text)

    def test_settings_of_the_rti(self, tmp_path):
        text = "target C {DNET: false, coordination-options: {advance-message-interval: 2 ms}}\n"
        found = federation(tmp_path, text + SINK + "federated reactor { d = new Sink() }")
        assert isinstance(found.rti, Rti) and not found.rti.dnet
        assert found.rti.advance_message_interval == 2 * MS

    def test_banks_multiports_and_parameters(self, tmp_path):
        text = """target C
        reactor Many(n: int = 2) { output[n] out: int  reaction(startup) -> out {= =} }
        reactor One(bank_index: int = 0, wait: time = 1 ms) {
          input in: int  logical action a(wait)  reaction(in) -> a {= =}
        }
        federated reactor(size: int = 3) {
          m = new Many(n = size)
          d = new[size] One(wait = 7 ms)
          m.out -> d.in
        }"""
        found = federation(tmp_path, text)
        assert list(found.federates) == ["m", "d[0]", "d[1]", "d[2]"]
        assert [(c.output, c.target) for c in found.connections] == [
            ("out[0]", "d[0]"),
            ("out[1]", "d[1]"),
            ("out[2]", "d[2]"),
        ]
        assert found.federates["m"].reactions["reaction_1"].effects == (
            "out[0]",
            "out[1]",
            "out[2]",
        )
        assert found.federates["d[1]"].actions["a"].min_delay == 7 * MS

    def test_broadcast_and_interleaved(self, tmp_path):
        text = """target C
        reactor A { output[2] out: int  reaction(startup) -> out {= =} }
        reactor B { input[2] in: int  reaction(in) {= =} }
        main reactor { a = new[2] A()  b = new[2] B()  a.out -> interleaved(b.in) }"""
        found = federation(tmp_path, text).federates["main"].connections
        assert [c.target for c in found] == ["b[0].in[0]", "b[1].in[0]", "b[0].in[1]", "b[1].in[1]"]
        text = text.replace("a.out -> interleaved(b.in)", "c = new A()  (c.out)+ -> b.in")
        found = federation(tmp_path, text).federates["main"].connections
        assert [c.source for c in found] == ["c.out[0]", "c.out[1]", "c.out[0]", "c.out[1]"]

    def test_contained_reactors(self, tmp_path):
        text = (
            CENTRALIZED
            + SOURCE
            + SINK
            + """
        reactor Box { input in: int  output out: int
          inner = new Sink()  in -> inner.in
          src = new Source()  src.out -> out after 1 ms
          reaction(in) src.out -> inner.in {= =}
        }
        federated reactor { a = new Box()  b = new Box()  a.out -> b.in }"""
        )
        box = federation(tmp_path, text).federates["a"]
        assert list(box.inputs) == ["in", "inner.in"] and list(box.outputs) == ["out", "src.out"]
        assert box.reactions["reaction_1"].sources == ("src.out",)
        assert box.connections == (
            InnerConnection("in", "inner.in"),
            InnerConnection("src.out", "out", Shift(MS)),
        )

    def test_a_physical_connection_within_a_process(self, tmp_path):
        found = federation(
            tmp_path,
            "target C\n"
            + SOURCE
            + SINK
            + "main reactor { s = new Source()  d = new Sink()  s.out ~> d.in after 2 ms }",
        )
        main = found.federates["main"]
        action = main.actions["s.out ~> d.in"]
        assert (action.kind, action.min_delay) == ("physical", 2 * MS)
        assert main.reactions["s.out ~> d.in in"].triggers == ("s.out",)
        assert main.reactions["s.out ~> d.in out"].effects == ("d.in",)

    def test_a_physical_connection_between_federates(self, tmp_path):
        found = federation(
            tmp_path,
            DECENTRALIZED
            + SOURCE
            + SINK
            + "federated reactor { s = new Source()  d = new Sink()  s.out ~> d.in }",
        )
        assert found.connections[0].physical

    def test_actions_deadlines_and_triggers(self, tmp_path):
        text = """target C
        main reactor(limit: time = 9 ms) {
          physical action p(1 ms, 2 ms, "drop"): int
          timer once
          reaction(startup, reset, p) {= =} deadline(limit) {= =}
          reaction go(once) -> p {= =}
          reaction(shutdown) {= =} tardy
        }"""
        main = federation(tmp_path, text).federates["main"]
        assert (main.actions["p"].min_spacing, main.actions["p"].policy) == (2 * MS, "drop")
        assert main.timers["once"].period is None
        assert main.reactions["reaction_1"].triggers == ("startup", "reset", "p")
        assert main.reactions["reaction_1"].deadline == 9 * MS
        assert list(main.reactions) == ["reaction_1", "go", "reaction_3"]
        assert main.reactions["reaction_3"].tardy

    def test_enclaves(self, tmp_path):
        text = (
            "target C\n"
            + SINK
            + """
        reactor Box { s = new Sink() }
        main reactor {
          @enclave(workers = 2) a = new Box()
          @enclave(each = true) b = new[2] Sink()
          @enclave c = new[2] Sink()
          d = new Sink()
        }"""
        )
        found = federation(tmp_path, text).federates["main"].enclaves
        assert {name: (e.reactors, e.workers) for name, e in found.items()} == {
            "a": (("a.s",), 2), "b[0]": (("b[0]",), 1), "b[1]": (("b[1]",), 1), "c": (("c[0]", "c[1]"), 1),
        }  # fmt: skip


class TestClasses:
    def test_imports_and_inheritance(self, tmp_path):
        save(
            tmp_path,
            'target C\nimport Base from "deep/base.lf"\nreactor Child extends Base { reaction(a) {= =} }',
            "lib/child.lf",
        )
        save(
            tmp_path,
            "target C\nreactor Hidden { timer h(0, 1 s) }\nreactor Base(p: time = 2 ms) { logical action a(p)  h = new Hidden()  reaction(startup) -> a {= =} }",
            "lib/deep/base.lf",
        )
        found = federation(
            tmp_path,
            'target C\nimport Child as C from "lib/child.lf"\nmain reactor { c = new C(p = 3 ms) }',
        )
        main = found.federates["main"]
        assert main.actions["c.a"].min_delay == 3 * MS
        assert list(main.timers) == ["c.h.h"]
        assert list(main.reactions) == ["c.reaction_1", "c.reaction_2"]

    def test_what_two_parents_share_is_there_once(self, tmp_path):
        text = "target C\nreactor A { input x: int }\nreactor B extends A {}\nreactor C extends A {}\nreactor D extends B, C { reaction(x) {= =} }\nmain reactor { d = new D() }"
        assert list(federation(tmp_path, text).federates["main"].inputs) == ["d.x"]

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("reactor A {}", "Program.lf:1:1: there is no main or federated reactor"),
            ("main reactor { a = new Sorce() }\nreactor Source {}", "Program.lf:1:16: there is no reactor 'Sorce'; did you mean 'Source'?"),
            ('import A from "a.lf"\nmain reactor { a = new A() }', "Program.lf:1:1: 'a.lf' is not there; look for the file"),
            ("reactor A { a = new A() }\nmain reactor { a = new A() }", "levels of reactors: 'A' may contain itself"),
            ("reactor A extends A {}\nmain reactor { a = new A() }", "Program.lf:1:1: 'A' extends itself"),
            ("reactor A {}\nmain reactor { a = new[999999999] A() }", "Program.lf:2:16: there are more than 50000 reactors"),
            ("main reactor { input[999999999] x: int }", "Program.lf:1:16: there are more than 100000 channels"),
            ("reactor A(n: int) {}\nmain reactor { a = new A(m = 3) }", "Program.lf:2:26: 'A' has no parameter 'm'; expected one of: n, bank_index"),
            ("main reactor { a.x -> y }", "Program.lf:1:16: there is no reactor 'a' in this one"),
            ("reactor A { output out: int }\nmain reactor { a = new A()  a.ut -> a.ut }", "reactor 'a' has no port 'ut'; did you mean 'out'?"),
            ("main reactor { timer t({= f() =}) }", "the offset of a timer is in the target's language, which is not read"),
            ("main reactor { timer t(5) }", "Program.lf:1:24: the offset of a timer must be a time with its unit"),
            ("main reactor { timer t(0, forever) }", "Program.lf:1:27: the period of a timer cannot be forever"),
            ("main reactor { timer t(p) }", "Program.lf:1:24: there is no parameter 'p'"),
            ("main reactor { reaction(x) {= =} }", "Program.lf:1:25: this reactor has no port 'x'"),
            ("main reactor {}\nmain reactor {}", "Program.lf:2:1: there is another main or federated reactor already"),
        ],
    )  # fmt: skip
    def test_refusals(self, tmp_path, text, message):
        assert message in refused(tmp_path, text)

    def test_messages_point_into_the_file_of_the_class(self, tmp_path):
        save(tmp_path, "reactor A {\n  timer t(q)\n}", "lib/a.lf")
        message = refused(tmp_path, 'import A from "lib/a.lf"\nmain reactor { a = new A() }')
        assert "a.lf:2:11: there is no parameter 'q'" in message

    def test_imports_that_go_round_in_a_circle(self, tmp_path):
        save(tmp_path, 'import A from "Program.lf"\nreactor B {}', "lib.lf")
        text = 'import A from "lib.lf"\nmain reactor { a = new A() }'
        assert "imports go round in a circle" in refused(tmp_path, text)

    def test_width_mismatches_are_told(self, tmp_path):
        text = "target C\nreactor A { output[3] out: int  input[2] in: int }\nmain reactor { a = new A()  b = new A()  a.out -> b.in }"
        draft = read([save(tmp_path, text)])
        assert any("3 outputs are connected to 2 inputs" in note for note in draft.left_out)


@pytest.mark.parametrize("version", ["new", "", "0", "v1", "0.1.2.3.4", "٣.٤"])
def test_a_version_is_numbers(tmp_path, version):
    assert "is no version of Lingua Franca" in refused(tmp_path, "main reactor {}", version=version)
