"""Threads that are released by messages: by each, by one of all inputs, or by sets."""

from __future__ import annotations

from ddsrta_simulator.program import ALL, EACH, LATEST, TAKEN, TIMED
from tests.simulation.oracle.things import Job, Things, Token


class Readers(Things):
    """Who hears of a message."""

    def arrive(self, job: Job, hop: int) -> None:
        """A job arrives; the hop is what released it."""
        raise NotImplementedError

    def inform(self, hop: int, source: Job) -> None:
        """An input of a thread has something new."""
        p, thread = self.p, self.p.hop_target[hop]
        policy = p.thread_activation[thread]
        if policy == EACH:
            self.count(p.hop_reader[hop], 1)
            job = self.make_job(thread, source.stamp)
            job.reader = p.hop_reader[hop]
            job.behind[hop] = source, True
            if p.hop_round[hop] != -1:
                job.round = source.round + p.hop_round[hop]
            self.arrive(job, hop)
        elif policy == TIMED:
            self.newest[hop] = source
        elif policy == ALL:
            self.tokens[hop].append(Token(source.stamp, source, self.now, 0))
            if all(self.tokens[each] for each in self.inputs(thread)):
                self.join(thread)
        else:
            self.match(thread, hop, source)

    def join(self, thread: int) -> None:
        """One message of each input releases a job."""
        tokens = [self.tokens[hop].pop(0) for hop in self.inputs(thread)]
        job = self.make_job(thread, max(token.stamp for token in tokens))
        self.release(job, tokens, max(token.job.asked for token in tokens))

    def match(self, thread: int, hop: int, source: Job) -> None:
        """A message comes to a synchronizer, which makes sets."""
        p, inputs = self.p, self.inputs(thread)
        number = self.heard[hop]
        self.heard[hop] += 1
        token = Token(source.stamp, source, self.now, number)
        for members in self.machines[thread].add(hop - inputs[0], token):
            turn = number * len(inputs) + hop - inputs[0]
            if p.thread_activation[thread] == LATEST and not self.amount(
                p.thread_fires[thread], turn, self.now, 0, 1
            ):
                continue
            stamps = [member.stamp for member in members]
            self.see(p.thread_disparity[thread], max(stamps) - min(stamps))
            if thread in self.last_set:
                self.see(p.thread_gap[thread], self.now - self.last_set[thread])
            self.last_set[thread] = self.now
            job = self.make_job(thread, max(stamps))
            for each, member in zip(inputs, members, strict=True):
                self.see(p.hop_wait[each], self.now - member.came)
                self.trace(TAKEN, each, member.number, job.index)
            self.release(job, list(members), source.asked)

    def release(self, job: Job, tokens: list[Token], asked: int) -> None:
        """By several messages."""
        inputs = self.inputs(job.thread)
        last = max(token.came for token in tokens)
        for hop, token in zip(inputs, tokens, strict=True):
            job.behind[hop] = token.job, token.came == last
        if self.p.thread_inline[job.thread]:
            job.asked = asked
        self.arrive(job, inputs[-1])
