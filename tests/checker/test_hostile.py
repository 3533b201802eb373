"""Whatever a certificate holds, the checker ends soon, with a verdict or a CertificateError."""

import contextlib
import copy
import json
import random

import pytest

from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import CertificateError, Verdict, check, check_file
from ddsrta.models.document import digest
from ddsrta.models.reader import loads
from tests.checker.executors import executor_system
from tests.checker.varied import varied_system
from tests.effort import draws, ends

JUNK = (None, True, -1, 0, 1, 2**60, 2**61, 10**5000, 1.5, float("nan"), float("inf"),
        "", "t0", "\ud800", [], {}, [[]], {"a": 1}, [1, 2, 3])  # fmt: skip

SOME = 200_000  # units of work: a hundredth of what a check may take


def places(value):
    """Every container of the data with each of its keys."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in items:
        yield value, key
        if isinstance(item, dict | list):
            yield from places(item)


@pytest.mark.parametrize(
    ("make", "seed"),
    [
        *((varied_system, i) for i in range(draws(2, of=6))),
        *((executor_system, i) for i in range(draws(2, of=4))),
    ],
)
def test_junk_anywhere(make, seed):
    rnd = random.Random(seed)
    original = certificate(make(seed))
    for _ in range(250):
        claims = copy.deepcopy(original)
        container, key = rnd.choice(list(places(claims)))
        if rnd.random() < 0.2:
            del container[key]
        else:
            container[key] = rnd.choice(JUNK)
        if rnd.random() < 0.7:
            with contextlib.suppress(KeyError, TypeError, ValueError):
                claims["digest"] = digest(claims["system"])
        with ends():
            try:
                assert isinstance(check(claims), Verdict)
            except CertificateError as error:
                assert str(error) and len(str(error)) < 500


@pytest.mark.parametrize("junk", JUNK, ids=range(len(JUNK)))
def test_junk_alone(junk):
    with pytest.raises(CertificateError):
        check(junk)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[" * 100_000, '{"a": NaN}', '{"a": -Infinity}', "1" * 5000, '{"a": 1, "a": 2}',
     b"\xff\xfe\x00", '{"ddsrta_certificate": true}'],
)  # fmt: skip
def test_files_that_are_none(tmp_path, text):
    file = tmp_path / "c.json"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(CertificateError):
        check_file(str(file))


def test_no_file(tmp_path):
    with pytest.raises(CertificateError):
        check_file(str(tmp_path / "none.json"))
    with pytest.raises(CertificateError):
        check_file("\0")


def test_a_deep_system_is_no_endless_recursion():
    claims = certificate(varied_system(0))
    deep = claims["system"]
    for _ in range(100_000):
        deep["name"] = {}
        deep = deep["name"]
    with pytest.raises(CertificateError):
        check(claims)


def test_claims_that_take_too_long_are_not_confirmed():
    claims = certificate(varied_system(1))
    for stage in claims["stages"]:
        for key in ("response", "latency"):
            stage[key] = 2**58
    with ends():
        assert not check(json.loads(json.dumps(claims)), SOME).ok


def test_threads_in_a_circle_are_refused():
    claims = certificate(varied_system(0))
    threads = claims["system"]["threads"]
    name = next(iter(threads))
    threads[name]["arrival"] = None
    threads[name]["follows"] = {"threads": [name], "delay": 0, "best": 0}
    claims["digest"] = digest(claims["system"])
    with pytest.raises(CertificateError, match="circle"):
        check(claims)


def test_a_long_chain_on_one_core_ends_soon():
    threads = "".join(
        f"  t{n}: {{core: m/c, priority: {1 + n * 7 % 13}, wcet: 1us, "
        + ("period: 1ms}\n" if n == 0 else f"follows: {{threads: [t{n - 1}]}}}}\n")
        for n in range(120)
    )
    path = ", ".join(f"t{n}" for n in range(120))
    text = f"ddsrta: 1\nmachines: {{m: {{cores: [c]}}}}\nthreads:\n{threads}chains: {{c: {{path: [{path}]}}}}"
    claims = certificate(loads(text, "long.yaml"))
    with ends():
        assert check(claims).ok
    for stage in claims["stages"]:
        stage |= {"response": 2**58, "latency": 2**58}
    with ends():
        check(claims, SOME)


NO_PACE = """
ddsrta: 1
machines: {m: {cores: [a, b, c]}}
executors: {e: {core: m/a, priority: 5, kind: events}}
threads:
  s: {core: m/b, priority: 5, wcet: 10ns, period: 100ns}
  z: {core: m/b, priority: 9, wcet: 2ns, follows: {threads: [y, s]}}
  y: {core: m/c, priority: 3, wcet: 5ns, bcet: 1ns, follows: {threads: [x]}}
callbacks:
  t: {executor: e, wcet: 1ns, timer: 50ns}
  x: {executor: e, wcet: 2ns, bcet: 1ns, follows: {threads: [s, t]}}
"""


def test_a_pace_is_claimed_of_what_has_none_and_counts_before_that_is_looked_at():
    claimed = certificate(loads(NO_PACE))
    (stage,) = (one for one in claimed["stages"] if one["stage"] == ["job", "y"])
    stage["paced"] = 1
    verdict = check(claimed)
    assert (verdict.status, "no pace" in verdict.failure) == ("refuted", True)


def test_names_like_those_of_histories_are_refused():
    found = certificate(varied_system(1))
    threads = found["system"]["threads"]
    threads["t < x"] = threads[next(iter(threads))]
    found["digest"] = digest(found["system"])
    with pytest.raises(CertificateError, match="'t < x' may be taken for the history of a reader"):
        check(found)
