"""Which commands there are. Imported at each start: nothing heavy in here."""

from __future__ import annotations

# Each names a module of ddsrta.cli, and says what it does.
COMMANDS = {
    "analyze": "bounds of a system: verdict, chains, messages, threads, queues",
    "check": "for CI: a line for each deadline, and what got worse",
    "diff": "what changed in a model, what that did to each bound, and which change did it",
    "sensitivity": "how far each value can move before a deadline falls",
    "improve": "ranked repairs after which late chains are in time, smallest first",
    "explore": "what a study leaves open of a system: all or many of its values, and the best",
    "simulate": "what runs of a system show, beside its bounds",
    "validate": "bounds beside the latencies of a real run, from its trace",
    "measure": "delays of the middleware, or a run of a system as real threads",
    "explain": "where the time of bounds goes: of late chains, of a chain, a thread, a message",
    "report": "one page with pictures: chains, graph, where the time goes, loads, findings",
    "exact": "worst cases of a small system: all runs, and one that takes as long as any can",
    "order": "in which orders subscribers can see messages, and how to remove wrong ones",
    "reproduce": "tables and figures of papers, with our figures beside them",
    "verify": "check the certificate of an analysis independently",
    "import": "a system or federation to start from, out of traces, programs, files of other tools",
    "init": "a first system.yaml, by a few questions or options, every guess marked",
    "export": "a system, or what the analysis says of it, as a file for another tool",
    "lf": "Lingua Franca federations: what their coordination needs and costs",
    "schema": "print the JSON Schema of system.yaml, a federation or a study, for editors",
    "completion": "print what bash, zsh or fish needs to complete commands and options",
    "man": "print the manual page",
    "version": "print the version, and what it runs on",
}

STATUS = """\
exit status:
  0  everything is bounded and in time
  1  a deadline is missed, a wanted order or offset can be violated, or something is unbounded
  2  the input or the call is wrong
  3  a defect in ddsrta
"""
