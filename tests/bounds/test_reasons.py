"""Why a stage has no bound: what is overloaded, or the circle of delays, however far away."""

import ddsrta

CIRCLE = """\
ddsrta: 1
machines: {m: {cores: [a, b]}}
threads:
  a1: {core: m/a, priority: 1, wcet: 1ms, bcet: 1us, period: 4ms}
  a2: {core: m/a, priority: 2, wcet: 2.4ms, bcet: 1us, follows: {threads: [b2]}}
  b1: {core: m/b, priority: 2, wcet: 2.4ms, bcet: 1us, follows: {threads: [a1]}}
  b2: {core: m/b, priority: 1, wcet: 1ms, bcet: 1us, period: 4ms}
"""
CALM = "  calm: {core: m/b, priority: 3, wcet: 1us, period: 4ms}\n"


def reasons(text, refinements=None):
    """Of each thread."""
    threads = ddsrta.analyze(ddsrta.loads(text), refinements=refinements).threads
    return {name: thread.unbounded_because for name, thread in threads.items()}


def test_a_circle_of_delays_is_named_with_its_cores_and_is_no_overload():
    found = reasons(CIRCLE + CALM)
    for name in ("a1", "b2"):
        assert "each of thread a1, thread a2, thread b2, thread b1 comes later" in found[name]
        assert "in a circle that keeps growing (core m/a, core m/b)" in found[name]
        assert "by other priorities or cores, or known offsets" in found[name]
        assert found[name].endswith(
            "A closed window of all that delays or releases it (lemma closed-window) has no bound: "
            "one by one, it takes 170 % of the time"
        )
    assert found["a2"] == f"thread b2, which releases it, has no bound: {found['b2']}"
    assert found["calm"] is None


def test_a_circle_names_the_refinement_that_would_be_needed():
    without = ddsrta.Refinements(closed_windows=False)
    assert reasons(CIRCLE, without)["a1"].endswith(
        "Closed windows, which are left out, may bound it"
    )
    apart = (
        "  own: {core: m/a, reservation: {budget: 10us, period: 4ms}, wcet: 10us, period: 4ms}\n"
    )
    assert reasons(CIRCLE + apart)["a1"].endswith("has no bound: thread own runs by its deadlines")


def test_what_a_circle_delays_is_told_of_it():
    found = reasons(CIRCLE + "  low: {core: m/b, priority: 0, wcet: 1us, period: 1s}\n")
    assert "in a circle that keeps growing" in found["low"]


def test_what_arrives_without_bound_is_told_why():
    text = CIRCLE.replace("2.4ms", "1ms").replace("a1: {core: m/a", "a1: {core: m/c")
    text = text.replace("cores: [a, b]", "cores: [a, b, c]")
    text += "  much: {core: m/c, priority: 2, wcet: 3.5ms, period: 4ms}\n"
    assert reasons(text)["b2"] == (
        "thread b1, which can delay it, arrives without bound: thread a1 has no bound: "
        "core m/c is loaded 112 % by what is at least as urgent as a1; "
        "move work elsewhere, or make it rarer"
    )
