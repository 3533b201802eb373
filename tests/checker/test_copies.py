"""The checker derives declared orders of copies by itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import check
from ddsrta.checker.reading import CertificateError
from ddsrta.models.document import digest
from ddsrta.models.middleware import Limit
from ddsrta_kernel import COMPILED
from tests.bounds.one_image import ASYNC, SYNC, one_image
from tests.soundness.declared_copies import all_declared

ORDERS = ("connection", "priority")


def sealed(claims):
    """The digest made right again behind a change of the system."""
    claims["digest"] = digest(claims["system"])
    return claims


def image(claims):
    return claims["system"]["topics"]["image"]


@pytest.mark.parametrize("mode", [ASYNC, SYNC])
@pytest.mark.parametrize("copies", ORDERS)
@pytest.mark.parametrize("count", [1, 2])
def test_declared_orders_are_confirmed(mode, copies, count):
    verdict = check(certificate(one_image(copies, mode, count)))
    assert (verdict.ok, verdict.failure) == (True, None)


@pytest.mark.skipif(not COMPILED, reason="overloaded systems take long without compiling")
@pytest.mark.parametrize("block", range(2))
def test_random_systems_are_confirmed(block):
    for system in all_declared(range(220 + 20 * block, 240 + 20 * block)):
        verdict = check(certificate(system))
        assert verdict.ok, (system.name, verdict.failure)


@pytest.mark.parametrize("mode", [ASYNC, SYNC])
@pytest.mark.parametrize("copies", ORDERS)
@pytest.mark.parametrize("figure", ["ddl", "sent"])
@pytest.mark.parametrize("reader", ["a", "b"])
def test_a_nanosecond_less_is_refuted(mode, copies, figure, reader):
    claims = certificate(one_image(copies, mode))
    (message,) = [m for m in claims["messages"] if m["subscriber"] == reader]
    message[figure] -= 1
    verdict = check(claims)
    assert not verdict.ok
    assert f"camera/image/{reader}: {figure}" in verdict.failure


def test_an_order_means_nothing_where_the_flow_controller_may_sleep():
    """Lemma byte-limit: what leaves first with an unknown order may not be claimed to leave
    sooner."""

    def limited(copies):
        system = one_image(copies, ASYNC)
        controller = replace(system.flow_controllers["F"], limit=Limit(1_500, 2_000_000))
        return certificate(replace(system, flow_controllers={"F": controller}))

    claims, unknown = limited("connection"), limited("unknown")
    assert check(claims).ok
    assert [m["ddl"] for m in claims["messages"]] == [m["ddl"] for m in unknown["messages"]]
    for message in claims["messages"]:
        if message["topic"] == "image":
            message["ddl"] -= 1
            assert not check(claims).ok, message["subscriber"]
            message["ddl"] += 1


@pytest.mark.parametrize("mode", [ASYNC, SYNC])
@pytest.mark.parametrize("copies", ORDERS)
def test_bounds_of_one_order_do_not_hold_for_another(mode, copies):
    claims = certificate(one_image(copies, mode))
    other = certificate(one_image("priority" if copies == "connection" else "connection", mode))
    assert not check(sealed({**claims, "system": other["system"]})).ok
    unknown = certificate(one_image("unknown", mode))
    assert not check(sealed({**claims, "system": unknown["system"]})).ok
    higher = {**unknown, "system": claims["system"], "assumptions": claims["assumptions"]}
    assert check(sealed(higher)).ok, "those are higher"


def test_the_order_of_the_file_cannot_be_changed_behind_the_digest():
    claims = certificate(one_image("connection", ASYNC))
    assert image(claims)["readers"] == ["a", "b", "c"]
    threads = claims["system"]["threads"]
    claims["system"]["threads"] = dict(reversed(threads.items()))
    assert check(claims).ok, "the order of a mapping means nothing"
    image(claims)["readers"] = ["c", "b", "a"]
    assert "digest" in check(claims).failure
    assert not check(sealed(claims)).ok


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"copies": "reverse"}, "'reverse' is none of connection, priority"),
        ({"copies": "unknown"}, "'unknown' is none of connection, priority"),
        ({"readers": ["a", "b"]}, "are not those who subscribe"),
        ({"readers": ["a", "b", "b"]}, "are not those who subscribe"),
        ({"readers": ["a", "b", "camera"]}, "are not those who subscribe"),
        ({"readers": "abc"}, "expected a list"),
        ({"readers": None}, "expected a list"),
        ({"reader": []}, "unknown key 'reader'"),
    ],
)
def test_a_strange_declaration_is_no_certificate(change, message):
    claims = certificate(one_image("connection", ASYNC))
    image(claims).update(change)
    with pytest.raises(CertificateError, match=message):
        check(sealed(claims))


@pytest.mark.parametrize("key", ["copies", "readers"])
def test_half_a_declaration_is_no_certificate(key):
    claims = certificate(one_image("connection", ASYNC))
    del image(claims)[key]
    with pytest.raises(CertificateError, match=f"'{key}' is missing"):
        check(sealed(claims))


def test_certificates_without_the_new_keys_are_read():
    claims = certificate(one_image("unknown", ASYNC))
    assert image(claims).keys() == {"size", "priority", "history"}
    for message in claims["messages"]:
        del message["sent"]
    assert check(claims).ok
