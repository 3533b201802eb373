"""Tables for pandas, graphs for networkx, pictures of matplotlib, and what tab completion finds."""

from __future__ import annotations

from dataclasses import replace

import pytest

import ddsrta
from ddsrta.examples import TWO_THREADS, two_threads
from ddsrta.report.frames import columns
from tests.exploration.test_sensitivity import ALONE

RESULT = ddsrta.analyze(two_threads())
LATE = ddsrta.analyze(two_threads().replace("threads", "control", wcet="9 ms"))


@pytest.mark.parametrize("kind", ["chains", "messages", "threads", "callbacks", "queues", "cores"])
def test_each_table_of_a_result_has_a_row_for_each_of_its_things(kind) -> None:
    found = columns(RESULT, kind)
    assert {len(column) for column in found.values()} <= {len(getattr(RESULT, kind))}


def test_without_a_word_it_is_that_of_the_chains() -> None:
    assert columns(RESULT) == columns(RESULT, "chains")
    assert columns(RESULT)["path"] == ["sensor → speed → control"]


def test_a_table_that_is_none_is_refused_with_one_that_is() -> None:
    pytest.importorskip("pandas", reason="the frames extra is not installed")
    with pytest.raises(ddsrta.InputError, match="did you mean 'chains'"):
        RESULT.to_frame("chain")


def test_numbers_of_a_frame_are_whole_and_may_be_missing() -> None:
    pytest.importorskip("pandas", reason="the frames extra is not installed")
    frame = RESULT.to_frame("messages")
    assert str(frame["ddl"].dtype) == "Int64" and frame["ddl"][0] == 1_285_999
    assert frame["publisher_wcrt"].isna().all()
    assert (frame["ddl"] - frame["publisher_wcrt"]).isna().all()
    assert str(frame["ddl"].to_numpy().dtype) == "int64"


def test_a_column_without_any_value_has_the_type_that_it_would_have() -> None:
    pytest.importorskip("pandas", reason="the frames extra is not installed")
    chains, queues = RESULT.to_frame("chains"), RESULT.to_frame("queues")
    seen = ddsrta.simulate(two_threads(), horizon=100_000_000).to_frame("chains")
    empty = chains["data_age"], queues["capacity"], seen["data_age.bound"]
    assert all(each.isna().all() and str(each.dtype) == "Int64" for each in empty)


def test_a_simulation_has_what_was_seen_beside_each_bound() -> None:
    found = columns(ddsrta.simulate(two_threads(), horizon=100_000_000))
    assert found["latency.max"][0] <= found["latency.bound"][0]


def test_the_graph_goes_the_way_of_the_data() -> None:
    networkx = pytest.importorskip("networkx", reason="the frames extra is not installed")
    graph = two_threads().graph()
    way = networkx.shortest_path(graph, "threads/sensor", "threads/control")
    assert way == [
        "threads/sensor",
        "flow_controllers/F",
        "topics/speed",
        "listeners/L",
        "threads/control",
    ]
    assert graph.nodes["threads/sensor"]["wcet_ns"] == 1_000_000


@pytest.fixture
def pyplot():
    matplotlib = pytest.importorskip("matplotlib", reason="the plot extra is not installed")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    yield pyplot
    pyplot.close("all")


def widths(axes) -> list[float]:
    return [round(float(bar.get_width()), 6) for bar in axes.patches]


def test_a_result_shows_each_chain_as_long_as_its_bound_beside_its_deadline(pyplot) -> None:
    axes = RESULT.plot()
    assert widths(axes) == [3.286] and axes.get_title(loc="left").endswith("MET")
    assert [float(x) for x in axes.lines[0].get_xdata()] == [8.0]


def test_what_is_late_is_painted_otherwise(pyplot) -> None:
    green, red = (each.plot().patches[0].get_facecolor() for each in (RESULT, LATE))
    assert green != red


def test_a_chain_grows_from_stage_to_stage_up_to_its_bound(pyplot) -> None:
    axes = RESULT.chains["control loop"].plot()
    assert widths(axes) == sorted(widths(axes)) and widths(axes)[-1] == 3.286


def test_a_picture_is_drawn_where_it_is_asked_for(pyplot) -> None:
    _, axes = pyplot.subplots()
    assert ddsrta.simulate(two_threads(), horizon=100_000_000).plot(axes) is axes
    assert len(axes.patches) >= 1


def test_what_was_seen_stands_beside_its_bound_and_its_deadline(pyplot) -> None:
    axes = ddsrta.simulate(two_threads(), horizon=100_000_000).plot()
    marks = {line.get_label(): [float(x) for x in line.get_xdata()] for line in axes.lines}
    assert marks == {"bound": [3.286], "deadline": [8.0]}
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["bound", "deadline"]


def test_what_has_no_bound_is_said_and_not_drawn(pyplot) -> None:
    broken = ddsrta.analyze(two_threads().replace("threads", "control", wcet="11 ms"))
    axes = broken.plot()
    assert not axes.patches and [text.get_text().strip() for text in axes.texts] == ["no bound"]


@pytest.mark.parametrize(
    ("thing", "said"),
    [
        (RESULT.chains["control loop"], "callback"),
        (ddsrta.simulate(two_threads(), horizon=100_000_000), "max/bound"),
    ],
)
def test_chains_and_simulations_show_themselves_in_notebooks(thing, said) -> None:
    page = thing._repr_html_()
    assert "<table>" in page and (said in page or "stage" in page)


def test_margins_and_validations_are_asked_for_from_python(tmp_path) -> None:
    pytest.importorskip("pandas", reason="the frames extra is not installed")
    found = ddsrta.sensitivity(ddsrta.loads(ALONE))
    margins = found.to_frame()
    assert margins["limit"][0] == found.margins[0].limit and "high: wcet" in str(found)
    assert "high: wcet" in found._repr_html_()
    (tmp_path / "run.csv").write_text("name,latency_ns\ncontrol loop,4000000\n")
    broken = ddsrta.validate(two_threads(), tmp_path / "run.csv")
    assert broken.verdict == "violation" and "4 ms measured" in str(broken)
    assert broken.to_frame()["bound"][0] == 3_286_000


def test_worst_cases_are_asked_for_from_python(pyplot) -> None:
    pytest.importorskip("pandas", reason="the frames extra is not installed")
    found = ddsrta.exact(two_threads(), ["control loop", "speed"])
    loop, speed = found.cases
    assert (loop.name, loop.bound, loop.at_most, loop.found) == ("control loop", *[3_286_000] * 3)
    assert str(loop.found) == "3.286 ms" and loop.exact and found.check.status == "confirmed"
    assert [*found.to_frame()["found"]] == [3_286_000, speed.found]
    assert "3.286 ms" in found._repr_html_() and "checked: confirmed" in found._repr_html_()
    assert found.to_dict()["cases"][1]["of"] == ["sensor", "speed", "control"]
    axes = found.plot()
    assert [bar.get_width() for bar in axes.patches] == [3.286, speed.found / 1e6]
    marks = {line.get_label(): len(line.get_xdata()) for line in axes.lines}
    assert marks == {"no run has more": 2, "deadline": 1}


def test_worst_cases_of_nothing_and_refused_ones_say_so() -> None:
    spin = {"core": "m/c", "priority": 5, "wcet": "1ms", "period": "9ms"}
    machines = {"m": {"cores": ["c"]}}
    one = ddsrta.load({"ddsrta": 1, "machines": machines, "threads": {"t": spin}})
    assert "nothing to explore" in ddsrta.exact(one)._repr_html_()
    found = ddsrta.exact(two_threads())
    refused = replace(found, check=replace(found.check, status="refuted", because="<no>"))
    page = refused._repr_html_()
    assert "no figure is sure" in page and "3.286 ms" not in page and "&lt;no&gt;" in page


@pytest.mark.parametrize("few", [{"states": 0}, {"runs": 0}, {"runs": -1, "states": 0}])
def test_few_situations_and_runs_are_refused_by_their_name(few) -> None:
    with pytest.raises(ddsrta.InputError) as caught:
        ddsrta.exact(two_threads(), **few)
    assert [str(each).split()[0] for each in caught.value.diagnostics] == sorted(few)


def test_tab_completion_finds_what_is_there_and_what_is_not_made_yet() -> None:
    assert {"load", "analyze", "simulate"} <= set(dir(ddsrta))
    later = ddsrta.analyze(two_threads(), check=False)
    assert {"chains", "verdict", "to_frame", "plot"} <= set(dir(later))


def test_a_mapping_is_read_as_a_file_that_says_the_same() -> None:
    import yaml

    read = yaml.safe_load(TWO_THREADS)
    assert ddsrta.load(read) == ddsrta.loads(TWO_THREADS)
    read["threads"]["sensor"]["wect"] = "1ms"
    with pytest.raises(ddsrta.InputError, match="unknown key 'wect'; did you mean 'wcet'"):
        ddsrta.load(read)


@pytest.mark.parametrize("value", [{1, 2}, object(), float("nan")])
def test_what_no_file_could_say_is_refused(value) -> None:
    with pytest.raises(ddsrta.InputError):
        ddsrta.load({"ddsrta": 1, "name": value, "machines": {}, "threads": {}})


TWO_WAYS = """\
ddsrta: 1
machines: {m: {cores: [a, b]}}
threads:
  a: {core: m/a, priority: 5, wcet: 1ms, period: 20ms}
  x: {core: m/a, priority: 4, wcet: 1ms, follows: {threads: [a]}}
  y: {core: m/a, priority: 3, wcet: 1ms, follows: {threads: [a]}}
  b: {core: m/b, priority: 4, wcet: 1ms, follows: {threads: [a, x, y]}}
chains: {c: {from: a, to: b}, one: {path: [a, x, b]}}
"""


def test_paths_between_two_ends_say_which_one_they_are() -> None:
    result = ddsrta.analyze(ddsrta.loads(TWO_WAYS))
    labels = {name: chain.label for name, chain in result.chains.items()}
    assert labels == {
        "c/1": "a → b directly",
        "c/2": "a → b via x",
        "c/3": "a → b via y",
        "one": None,
    }
    assert columns(result)["label"] == list(labels.values())


def test_margins_are_drawn_in_per_cent_and_no_longer_than_the_value() -> None:
    matplotlib = pytest.importorskip("matplotlib", reason="the plot extra is not installed")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    found = ddsrta.sensitivity(ddsrta.loads(ALONE))
    _, axes = pyplot.subplots()
    bars = [bar.get_width() for bar in found.plot(axes).patches]
    pyplot.close("all")
    assert bars[0] == pytest.approx(float(100 * found.margins[0].share)) and max(bars) == 100


def test_a_deadline_without_a_bound_is_not_met_in_a_frame() -> None:
    pytest.importorskip("pandas", reason="the frames extra is not installed")
    late = two_threads().replace("threads", "control", wcet="12 ms")
    frame = ddsrta.analyze(late).to_frame()
    assert frame["latency"].isna().any() and frame["met"].tolist() == [False]
