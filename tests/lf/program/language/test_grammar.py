"""Programs in the spellings of all versions: what is read, and what is refused, with its place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddsrta.base.diagnostics import InputError
from ddsrta.lf.program.language import parse
from ddsrta.lf.program.language.syntax import (
    Action,
    Code,
    Connection,
    Instance,
    Items,
    Mode,
    Name,
    Port,
    Reaction,
    ReactorClass,
    Scalar,
    State,
    Time,
    Timer,
    Watchdog,
)
from tests.effort import ends

MS = 1_000_000


def reactor(members: str) -> ReactorClass:
    return parse(f"target C\nmain reactor {{ {members} }}").reactors[0]


def only(members: str):
    found = reactor(members).members
    assert len(found) == 1
    return found[0]


def refusal(text: str) -> str:
    with pytest.raises(InputError) as caught:
        parse(text, "a.lf")
    assert len(caught.value.diagnostics) == 1
    return str(caught.value)


class TestFile:
    def test_target_properties_of_all_kinds(self):
        program = parse(
            """target Cpp {
              timeout: 2 sec, fast: true, workers: 4, "quoted": 'x', files: ["a.c", /b/c.h,],
              docker: {FROM: "ubuntu:20.04"}, build-type: Release, coordination-options:
              {advance-message-interval: 30 msec}, cmake-include: ../lib/x.txt,
            };
            main reactor {}"""
        )
        properties = program.properties
        assert program.target == "Cpp"
        assert properties["timeout"].nanoseconds == 2000 * MS
        assert properties["workers"].whole == 4
        assert [item.text for item in properties["files"]] == ["a.c", "/b/c.h"]
        assert properties["docker"]["FROM"].text == "ubuntu:20.04"
        assert properties["build-type"].text == "Release"
        assert properties["cmake-include"].text == "../lib/x.txt"
        interval = properties["coordination-options"]["advance-message-interval"]
        assert interval.nanoseconds == 30 * MS

    def test_imports(self):
        program = parse(
            'import A, B as C from "lib/x.lf"; import D from <pkg-1/d.lf>\nreactor E {}'
        )
        first, second = program.imports
        assert first.names == (("A", "A"), ("C", "B")) and first.path == "lib/x.lf"
        assert second.package and second.path == "pkg-1/d.lf"

    def test_preambles_hold_anything(self):
        program = parse(
            'preamble {= x = "=}"; // =}\n /* =} */ \'"\' =}\nprivate preamble {= =}\nreactor A {}'
        )
        assert program.preambles == 2

    def test_comments_of_all_targets(self):
        assert reactor("// a\n # b\n /* c } */ ''' d } ''' timer t").of(Timer)

    def test_reactor_heads(self):
        program = parse(
            """reactor A<T, {= int =}, T extends Object>(x: int = 3, y(4), z: time[](1 ms, 2 ms))
            at user@host.example:1234 extends B, C {}
            realtime reactor D {}
            federated reactor F at 10.0.0.1 {}
            @label("x") main reactor {}"""
        )
        first = program.reactors[0]
        assert first.extends == ("B", "C") and first.host == "user@host.example:1234"
        assert [p.name for p in first.parameters] == ["x", "y", "z"]
        assert isinstance(first.parameters[2].value, Items)
        assert [r.kind for r in program.reactors] == ["", "", "federated", "main"]
        assert program.reactors[2].host == "10.0.0.1"
        assert program.reactors[3].attributes[0].name == "label"

    def test_main_may_have_a_name(self):
        assert parse("main reactor Top {}").reactors[0].name == "Top"


class TestMembers:
    @pytest.mark.parametrize(
        "text",
        ["input x", "input x: int;", "input x: {= std::vector<int> =}", "input x: a::b<c, d<e>>**",
         "input x: int[]", "input x: char[10]", "mutable input x: time"],
    )  # fmt: skip
    def test_ports(self, text):
        port = only(text)
        assert isinstance(port, Port) and (port.kind, port.name) == ("input", "x")

    def test_widths(self):
        width = only("output[2 + n + {= f() =} + widthof(c.in)] y").width
        assert width.terms[0] == 2 and isinstance(width.terms[1], Name)
        assert isinstance(width.terms[2], Code) and str(width.terms[3]) == "c.in"
        assert only("input[] x").width.terms == ()

    @pytest.mark.parametrize(
        ("text", "offset", "period"),
        [("timer t", None, None), ("timer t(0)", 0, None), ("timer t(1 ms, 2 sec)", MS, 2000 * MS),
         ("timer t (1 week, 3 usecs)", 604_800_000 * MS, 3000)],
    )  # fmt: skip
    def test_timers(self, text, offset, period):
        timer = only(text)

        def value(e):
            return None if e is None else e.whole if isinstance(e, Scalar) else e.nanoseconds

        assert (value(timer.offset), value(timer.period)) == (offset, period)

    def test_actions(self):
        plain, full, physical = reactor(
            'action a; logical action b(1 ms, 2 ms, "drop"): int  physical action c(d): T'
        ).of(Action)
        assert not plain.physical and plain.delay is None
        assert full.spacing.nanoseconds == 2 * MS and full.policy == "drop"
        assert physical.physical and physical.delay.name == "d"

    def test_states(self):
        found = reactor(
            """state a; state b: int = 3 state c(4) state d: int[]{1, 2}  reset state e: time = 0
            state f = [1, [2, 3]]  state g = -4.5 state h: a = {= b =}  state i: time(forever)"""
        ).of(State)
        assert [s.name for s in found] == list("abcdefghi")
        assert found[4].reset and found[6].value.text == "-4.5"
        assert found[8].value.items[0].nanoseconds is None

    def test_methods_and_watchdogs(self):
        found = reactor(
            """const method m(a: int, b): int {= return a; =}  method n() {= =}
            watchdog w(5 ms) -> reset(M), out {= =}"""
        )
        assert isinstance(found.members[2], Watchdog)
        assert [e.transition for e in found.members[2].effects] == ["reset", ""]


class TestReactions:
    def test_all_parts(self):
        found = only(
            """@label("x") reaction go(a, c.out as d) e, interleaved(c.f) -> g, c.in, history(M)
            {= code =} deadline(5 ms) {= late =}"""
        )
        assert isinstance(found, Reaction) and found.name == "go" and found.has_body
        assert [str(t) for t in found.triggers] == ["a", "c.out"]
        assert [(str(r), r.interleaved) for r in found.reads] == [("e", False), ("c.f", True)]
        assert [(str(e), e.transition) for e in found.effects] == [
            ("g", ""),
            ("c.in", ""),
            ("M", "history"),
        ]
        assert found.deadline.nanoseconds == 5 * MS

    @pytest.mark.parametrize("word", ["STP", "STAA"])
    def test_old_offsets(self, word):
        late = only(f"reaction(a) {{= =}} {word}(3 ms) {{= =}} deadline(1 ms) {{= =}}").late
        assert late.kind == word and late.offset.nanoseconds == 3 * MS

    @pytest.mark.parametrize("tail", ["tardy", "tardy {= =}"])
    def test_tardy_with_and_without_a_handler(self, tail):
        found = reactor(f"reaction(a) {{= =}} {tail} timer t")
        assert found.of(Reaction)[0].late.kind == "tardy" and found.of(Timer)

    def test_without_body_or_triggers(self):
        found = reactor(
            """reaction(startup) -> x
            input y: int
            reaction(y) z;
            c = new C()
            reaction {= =}
            mutation(y) {= =}
            reaction(reset, shutdown)"""
        )
        bodies = [r.has_body for r in found.of(Reaction)]
        assert bodies == [False, False, True, True, False] and found.of(Instance)


class TestInstancesAndConnections:
    def test_instances(self):
        found = only(
            "@maxwait(200 us) @enclave(workers = 2, each=true) "
            "a = new[n + 1] B<int, {= x =}>(p = 1 ms, q(2), r{3}, s = {= t =}) at [fe80::1]:123;"
        )
        assert isinstance(found, Instance) and found.class_name == "B"
        assert [p.name for p in found.parameters] == ["p", "q", "r", "s"]
        assert found.host == "[fe80::1]:123"
        wait, enclave = found.attributes
        assert wait.values[0][1].nanoseconds == 200_000
        assert [key for key, _ in enclave.values] == ["workers", "each"]

    @pytest.mark.parametrize("host", ["localhost", "127.0.0.1:5", "me@pi-4.lan", "[::1]", "rti"])
    def test_hosts(self, host):
        assert only(f"a = new B() at {host};").host == host

    def test_connections(self):
        logical, physical, broadcast, mixed = reactor(
            """a.x -> b.y after 3 ms serializer "ros2";
            @absent_after(4 ms) a.x, c.x ~> b.y, d.y
            (a.x)+ -> b.y
            interleaved(a.x), y -> interleaved(b.z) after d"""
        ).of(Connection)
        assert logical.delay.nanoseconds == 3 * MS and logical.serializer == "ros2"
        assert physical.physical and len(physical.right) == 2
        assert physical.attributes[0].values[0][1].nanoseconds == 4 * MS
        assert broadcast.iterated and not mixed.iterated
        assert mixed.left[0].interleaved and not mixed.left[1].interleaved
        assert isinstance(mixed.delay, Name)

    def test_a_number_is_not_taken_for_a_time_with_the_next_statement(self):
        first, second = reactor("a.x -> b.y after 0 s.out -> b.z").of(Connection)
        assert first.delay.whole == 0 and second.left[0].container == "s"

    def test_modes_mark_what_is_in_them(self):
        found = reactor(
            """initial mode One { timer t  reaction(t) -> reset(Two) {= =} }
            mode Two { c = new C()  c.out -> x  reaction(reset) -> history(One) {= =} }"""
        )
        assert [(m.name, m.initial) for m in found.of(Mode)] == [("One", True), ("Two", False)]
        assert [r.mode for r in found.of(Reaction)] == ["One", "Two"]
        assert found.of(Instance)[0].mode == found.of(Connection)[0].mode == "Two"

    def test_times_are_exact(self):
        assert isinstance(only("timer t(9223372036854775807 ns)").offset, Time)


WORDS = (
    "main",
    "reactor",
    "federated",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    ",",
    ";",
    ":",
    ".",
    "=",
    "->",
    "~>",
    "+",
    "-",
    "@",
    "*",
    "::",
    "a",
    "b",
    "T",
    "input",
    "output",
    "state",
    "timer",
    "action",
    "physical",
    "logical",
    "reaction",
    "new",
    "after",
    "deadline",
    "tardy",
    "STP",
    "mode",
    "initial",
    "interleaved",
    "startup",
    "widthof",
    "at",
    "from",
    "import",
    "preamble",
    "method",
    "watchdog",
    "1",
    "2.5",
    "3",
    "ms",
    "forever",
    '"x"',
    "{=x=}",
    "//",
    "/*",
    "*/",
    "'''",
    "#",
)


class TestRefusals:
    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("main reactor {\n  timr t\n}", "a.lf:2:3: 'timr' begins no member; did you mean 'timer'?"),
            ("main reactor {", "a.lf:1:15: expected '}' behind the members of the reactor, not the end of the file"),
            ("main reactor { reaction(a) {= x }", "a.lf:1:28: '{=' has no '=}'; end the target code with =}"),
            ("/* a", "a.lf:1:1: '/* ' has no end; close the comment or text"),
            ('import A from "x', "a.lf:1:15: this text has no end on its line; add \""),
            ("target C", "a.lf:1:9: expected a reactor, not the end of the file"),
            ("reactor { timer t(5 foos) }", "a.lf:1:21: 'foos' is no unit of time"),
            ("reactor { timer t(1 s, 2 s, 3 s) }", "a.lf:1:32: expected at most 2 values, not ')'"),
            ("reactor { a.b c.d }", "a.lf:1:15: expected '->' or '~>' of the connection, not 'c'"),
            ("reactor { a = newB() }", "a.lf:1:15: expected 'new' behind '=', not 'newB'"),
            ("reactor { reaction(a) {= =} tardy deadline(1 s) {= =} STP(1 s) {= =} }", "a.lf:1:55: 'STP': the reaction has one already"),
            ("reactor { mode A { mode B {} } }", "a.lf:1:20: a mode cannot hold another"),
            ("reactor { timer t(9223372036854775808 ns) }", "a.lf:1:19: this time does not fit into 64 bits"),
            ("target C {a: 1, a: 2} reactor {}", "a.lf:1:17: 'a' is given twice"),
            ("reactor { input[9999999999] x }", "a.lf:1:17: this width is too large"),
        ],
    )  # fmt: skip
    def test_tell_the_place_and_what_is_wrong(self, text, message):
        assert refusal(text).startswith(message)

    @pytest.mark.parametrize("opened", ["(", "[", "{"])
    def test_nesting_has_an_end(self, opened):
        assert "levels deep" in refusal(f"reactor {{ state a = {opened * 100_000}")

    @pytest.mark.parametrize(
        "part", ["/*", "'''", '"""', '"', "{=", "a.b, ", "@a ", "a::", "'", "x<"]
    )
    def test_hostile_repetition_ends_soon(self, part):
        with ends():
            for text in (part * 100_000, f"reactor {{ reaction(a) {{= {part * 100_000}"):
                refusal(text)

    def test_code_with_openings_that_have_no_end_is_still_code(self):
        found = only('reaction(a) {= x = a /* b; \' """ =}')
        assert found.has_body

    @given(st.lists(st.sampled_from(WORDS), max_size=60))
    def test_any_sequence_of_words_is_read_or_refused_with_one_place(self, words):
        text = "reactor A { " + " ".join(words)
        try:
            parse(text, "a.lf")
        except InputError as error:
            assert len(error.diagnostics) == 1 and error.diagnostics[0].position
