"""The certificates of all case studies are confirmed, those of car_detection to the nanosecond."""

from __future__ import annotations

import copy

import pytest

from casestudies.analyses import loaded, systems
from casestudies.shared_data import MissingDataError
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import check


@pytest.mark.parametrize("file", systems(), ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_the_certificate_is_confirmed(file):
    try:
        system = loaded(file.parent.name, file.stem)
    except MissingDataError as error:
        pytest.skip(str(error))
    verdict = check(certificate(system))
    assert verdict.ok, verdict.failure


@pytest.mark.parametrize("name", ("system", "late_scans"))
def test_a_nanosecond_less_is_refuted(name):
    found = certificate(loaded("car_detection", name))
    places = [
        (("stages", i), k) for i in range(len(found["stages"])) for k in ("response", "latency")
    ]
    places += [(("messages", i), k) for i in range(len(found["messages"])) for k in ("ddl", "sent")]
    places += [(("chains", n), k) for n in found["chains"] for k in ("latency", "trigger_latency")]
    for (section, which), figure in places:
        less = copy.deepcopy(found)
        less[section][which][figure] -= 1
        assert not check(less).ok, (section, which, figure)
