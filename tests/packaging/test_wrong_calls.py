"""Whatever a public function is given, it says what it wants, and not what fell inside."""

import inspect
import traceback

import pytest

import ddsrta
from ddsrta.examples import two_threads
from ddsrta.lf.bounds.offsets.judge import judge
from ddsrta.lf.program import reader

SYSTEM = two_threads()
SMALL = ddsrta.loads("""\
ddsrta: 1
machines: {m: {cores: [c]}}
threads: {low: {core: m/c, priority: 10, wcet: 3ms, period: 20ms}}
chains: {low: {path: [low], deadline: 8ms}}
""")
LATE = SYSTEM.replace("chains", "control loop", deadline="3 ms")
OPEN = {
    "parameters": {"p": {"place": "flow_controllers/F/priority", "values": [80, 90]}},
    "objectives": [{"minimize": "latency"}],
}
WRONG = (None, "", "5", -1, 0, True, 10**40, float("nan"), 1e308, b"", [], ("a",), {}, object())
GOOD = {
    "load": {"source": {}},
    "loads": {"text": ""},
    "analyze": {"system": SYSTEM},
    "exact": {"system": SYSTEM},
    "explain": {"system": SYSTEM},
    "improve": {"system": LATE, "candidates": 3},
    "sensitivity": {"system": SMALL},  # in full, with limits that are times
    "simulate": {"system": SYSTEM, "horizon": "20ms"},
    "explore": {"base": SYSTEM, **OPEN},
    "validate": {"system": SYSTEM, "trace": "none.csv"},
}
WORDS = "wanted", "must be", "use one of", "takes no"
ASKED_LATER = {"hear", "progress", "stop", "tick"}  # Python says itself that it cannot call them
FILES = {"checkpoint", "parquet", "store", "trace"}


def wrong_calls():
    for name in GOOD:
        function = getattr(ddsrta, name)
        for parameter in inspect.signature(function).parameters.values():
            if parameter.kind != parameter.VAR_KEYWORD and parameter.name not in ASKED_LATER:
                yield name, parameter.name


@pytest.mark.parametrize(("name", "parameter"), list(wrong_calls()))
def test_what_is_wrong_with_a_call_is_said_in_its_words(name, parameter, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for value in WRONG if parameter not in FILES else (None, "", 5):
        try:
            getattr(ddsrta, name)(**{**GOOD[name], parameter: value})
        except ddsrta.InputError:
            continue
        except OSError as error:
            assert parameter in FILES, error
        except (TypeError, ValueError) as error:
            said = str(error)
            where = traceback.extract_tb(error.__traceback__)[-1]
            assert any(word in said for word in WORDS), (value, where)


def test_a_text_is_no_list_of_its_letters():
    with pytest.raises(TypeError, match="wanted as keep: a list of texts, not str"):
        ddsrta.improve(LATE, keep="*")  # each letter would be a pattern, and this one matches all


def test_a_chain_is_no_second_argument_of_sensitivity():
    with pytest.raises(TypeError, match="takes 1 positional argument but 2 were given"):
        ddsrta.sensitivity(LATE, "late")  # once "'str' object is not callable"


@pytest.mark.parametrize("load", [ddsrta.load, reader.load])
def test_a_number_is_no_file_that_is_closed_after_it_was_read(load):
    with pytest.raises(TypeError, match="wanted as source: the name of a file, not int"):
        load(0)


@pytest.mark.parametrize("load", [ddsrta.load, reader.load])
def test_what_a_file_says_is_no_name_of_one(load):
    with pytest.raises(ddsrta.InputError, match=r"give it to loads\(\)"):
        load("ddsrta: 1\nmachines: {}")


def test_a_system_is_no_federation():
    with pytest.raises(TypeError, match="wanted as federation: a Federation, as"):
        judge(SYSTEM)


def test_numbers_of_numpy_are_numbers():
    numpy = pytest.importorskip("numpy")
    five, seven = numpy.int64(5_000_000), numpy.int32(7)
    assert SYSTEM.replace("threads", "sensor", wcet=five) == SYSTEM.replace(
        "threads", "sensor", wcet="5 ms"
    )
    thread = {"core": "m/c", "priority": seven, "wcet": "1 ms", "period": "9 ms"}
    system = {"ddsrta": 1, "machines": {"m": {"cores": ["c"]}}, "threads": {"t": thread}}
    assert ddsrta.load(system).threads["t"].priority == 7
    runs = [ddsrta.simulate(SYSTEM, horizon=n, seed=m) for n, m in ((five, seven), (5_000_000, 7))]
    assert runs[0].to_dict() == runs[1].to_dict()
