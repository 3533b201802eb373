"""Systems whose stages delay each other in circles: chains that go to and fro between cores, pools,
executors and machines, and meet in AND jobs."""

from __future__ import annotations

from random import Random


def circular(seed: int) -> str:
    """A system of this seed, as a file."""
    random = Random(seed)
    cores = [f"m/c{n}" for n in range(random.randint(1, 3))] + ["n/c0"] * random.randint(0, 1)
    machines = {"m": [c[2:] for c in cores if c[0] == "m"], "n": ["c0"]}
    servers = {f"e{n}": kind for n, kind in enumerate(_executors(random, cores))}
    threads, callbacks, lasts, serial = [], [], [], 0
    chains = random.randint(1, 3)
    for chain in range(chains):
        before: list[str] = []
        length = random.randint(2, 5)
        for place in range(length):
            serial += 1
            name = f"x{chain}{place}"
            rel = f"follows: {{threads: [{', '.join(before)}]"
            if len(before) > 1:
                rel += f", activation: {random.choice(['and', 'and', 'or'])}"
            if random.random() < 0.5:
                rel += f", delay: {random.randint(1, 4)}us"
            rel += "}"
            server = random.choice([*servers, None, None])
            cost = f"wcet: {random.randint(1, 5)}us, bcet: {random.choice(['0s', '1us'])}"
            if not before:
                period = random.choice([30, 40, 60]) * chains
                jitter = random.choice(["", f", jitter: {random.randint(1, period)}us"])
                rel = f"arrival: {{period: {period}us{jitter}}}"
                if server is not None:
                    rel = f"timer: {period}us"
            if server is None:
                where = f"core: {random.choice(cores)}, priority: {serial + 10}"
                threads.append(f"  {name}: {{{where}, {cost}, {rel}}}")
            else:
                group = ""
                if servers[server][0] == "pool":
                    group = random.choice([", reentrant: true", ", group: g", ", group: h"])
                if servers[server][0] == "fixed_priority":
                    group = f", priority: {serial}"
                callbacks.append(f"  {name}: {{executor: {server}, {cost}, {rel}{group}}}")
            before = [name]
            if place + 1 < length and lasts and random.random() < 0.3:
                before.append(random.choice(lasts))
            lasts.append(name)
    text = ["ddsrta: 1", "machines:"]
    text += [f"  {name}: {{cores: [{', '.join(found)}]}}" for name, found in machines.items()]
    text += ["executors:"] * bool(servers) + [f"  {n}: {{{s[1]}}}" for n, s in servers.items()]
    text += ["threads:"] * bool(threads) + threads
    text += ["callbacks:"] * bool(callbacks) + callbacks
    text += ["chains:"] + [f"  w{c}: {{from: x{c}0, to: {_end(lasts, c)}}}" for c in range(chains)]
    return "\n".join(text) + "\n"


def _end(names: list[str], chain: int) -> str:
    return [name for name in names if name.startswith(f"x{chain}")][-1]


def _executors(random: Random, cores: list[str]):
    for number in range(random.randint(0, 2)):
        mine = [core for core in cores if core[0] == "m"]
        priority = random.randint(1, 9) * 10 + number
        kind = random.choice(["single_threaded", "events", "fixed_priority", "pool"])
        if kind == "pool" and len(mine) > 1:
            two = ", ".join(random.sample(mine, 2))
            yield "pool", f"cores: [{two}], priority: {priority}, kind: multi_threaded"
        else:
            kind = "single_threaded" if kind == "pool" else kind
            yield kind, f"core: {random.choice(mine)}, priority: {priority}, kind: {kind}"
