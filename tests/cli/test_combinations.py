"""An option that would say nothing beside others is refused, before any work."""

from pathlib import Path

import pytest

from ddsrta.__main__ import main
from ddsrta.examples import TWO_THREADS


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        ("simulate s.yaml --attack --trace kept", "--trace is not for --attack"),
        ("simulate s.yaml --attack --checkpoint kept", "--checkpoint is not for --attack"),
        ("simulate s.yaml --attack --parquet rows", "--parquet is not for --attack"),
        ("simulate s.yaml --attack --horizon 1s", "--horizon is not for --attack"),
        ("simulate s.yaml --attack --seeds 3", "--seeds is not for --attack"),
        ("simulate s.yaml --attack --jobs 1", "--jobs is not for --attack"),
        ("simulate s.yaml --attack --choices worst", "--choices is not for --attack"),
        ("simulate s.yaml --attack --histograms", "--histograms is not for --attack"),
        ("simulate s.yaml --attack --gantt --format json", "--gantt draws in text only"),
        ("simulate s.yaml --gantt", "--gantt needs --attack"),
        ("simulate s.yaml --html kept", "--html needs --attack"),
        ("simulate s.yaml --runs 5", "--runs needs --attack"),
        ("simulate s.yaml --seconds 5", "--seconds needs --attack"),
        ("simulate s.yaml --choices worst --seed 0", "--seed decides nothing"),
        ("simulate s.yaml --resume", "--resume needs the --checkpoint"),
        ("check s.yaml --tolerance 0", "--tolerance needs a --baseline"),
        ("check s.yaml --fail-on-worse", "--fail-on-worse needs a --baseline"),
        ("analyze s.yaml --profile published --certificate kept", "leave out --certificate"),
        ("import fastdds p.xml --into s.yaml --trace t", "--trace goes with lf, not with fastdds"),
        ("validate f.yaml --trace t --profile published", "--profile is for systems"),
        ("lf enclaves f.yaml --budget 0", "--budget needs --search"),
        ("lf enclaves f.yaml --seed 0", "--seed needs --search"),
    ],
)
def test_the_call_is_refused_and_files_stay_as_they_are(
    call: str,
    reason: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("s.yaml").write_text(TWO_THREADS)
    Path("f.yaml").write_text("federation: 1\n")
    Path("kept").write_text("what nobody may lose")
    assert main(call.split()) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert reason in captured.err
    assert Path("kept").read_text() == "what nobody may lose"
    assert not Path("rows").exists()
