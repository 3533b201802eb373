"""Federations with other enclaves, as a search finds them."""

from __future__ import annotations

from ddsrta.checker.lf.things import Enclave, Federation
from ddsrta.checker.reading import integer, mapping, names, record, shown
from ddsrta.checker.sums import RefutedError


def applied(federation: Federation, value: object) -> Federation:
    """With the enclaves that are given for some federates; levels are those of another program."""
    federates = dict(federation.federates)
    for name, item in mapping(value, "search.federates").items():
        where = f"search.federates.{name}"
        if name not in federates:
            raise RefutedError(f"{where}: there is no such federate")
        raw = record(item, where, ("workers", "enclaves"))
        federate = federates[name]
        reactors = {r.reactor for r in federate.reactions.values()}
        enclaves = {}
        for key, one in mapping(raw["enclaves"], where).items():
            given = record(one, f"{where}.{key}", ("reactors", "workers"))
            inside = names(given["reactors"], f"{where}.{key}")
            if not set(inside) <= reactors:
                raise RefutedError(
                    f"{where}.{key}: {shown(sorted(set(inside) - reactors)[0])} is no reactor"
                )
            workers = integer(given["workers"], f"{where}.{key}.workers", 1)
            enclaves[key] = Enclave(inside, workers, None)
        reactions = {key: r._replace(level=None) for key, r in federate.reactions.items()}
        workers = integer(raw["workers"], f"{where}.workers", 1)
        federates[name] = federate._replace(workers=workers, reactions=reactions, enclaves=enclaves)
    return federation._replace(federates=federates)


def unchanged(federation: Federation, value: object) -> Federation:
    """As it is, where that is what is given."""
    for name, item in mapping(value, "search.federates").items():
        federate = federation.federates.get(name)
        enclaves = [] if federate is None else list(federate.enclaves.values())
        found = [{"reactors": list(e.reactors), "workers": e.workers} for e in enclaves]
        raw = record(item, name, ("workers", "enclaves"))
        given = list(mapping(raw["enclaves"], name).values())
        if federate is None or given != found or raw["workers"] != federate.workers:
            raise RefutedError(f"search.federates.{name}: it is not so in the federation")
    return federation
