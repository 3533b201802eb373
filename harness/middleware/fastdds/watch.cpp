// What a running network on Fast DDS tells: each sample that leaves, each message that comes.
#include <fastdds/dds/subscriber/SampleInfo.hpp>

#include "../../library/clock.h"
#include "world.hpp"

using namespace eprosima::fastdds::dds;

namespace harness {

static thread_local bool t_arranged = false;

void World::arrange(struct place place) {
    if (t_arranged) return;
    t_arranged = true;
    take_place(place);
    std::lock_guard<std::mutex> lock(tids_mutex);
    tids.push_back(thread_id());
}

event World::describe(event_kind kind, const Part& part) const {
    const Writer& writer = *writers_[part.writer];
    const writer_spec& spec = net.writers[part.writer];
    event e{};
    e.time = now_ns();
    e.cpu = thread_used_ns();
    thread_switches(&e.waits, &e.stops);
    e.kind = uint8_t(kind);
    e.who = spec.controller < 0 ? spec.who : net.controllers[spec.controller].who;
    e.writer = part.writer;
    e.topic = spec.topic;
    e.reader = NOBODY;
    uint32_t warm = writer.warm;
    e.number = part.sequence - 1 < warm ? uint32_t(WARM_UP) : part.sequence - 1 - warm;
    e.job = writer.jobs[e.number % writer.jobs.size()];
    return e;
}

void World::before_send(const Part* parts, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!parts[i].first) continue;
        const writer_spec& spec = net.writers[parts[i].writer];
        if (spec.controller >= 0) arrange(net.controllers[spec.controller].place);
        writers_[parts[i].writer]->busy = writers_[parts[i].writer]->busy_cpu = 0;
        event e = describe(EVENT_SEND, parts[i]);
        tell(&net, &e);
    }
}

void World::after_send(const Part* parts, size_t count, int64_t busy, int64_t busy_cpu) {
    for (size_t i = 0; i < count; i++) {
        Writer& writer = *writers_[parts[i].writer];
        writer.busy += busy;
        writer.busy_cpu += busy_cpu;
        event e = describe(parts[i].last ? EVENT_SENT : EVENT_PART, parts[i]);
        e.busy = writer.busy;
        e.idle = writer.busy > writer.busy_cpu ? writer.busy - writer.busy_cpu : 0;
        tell(&net, &e);
    }
}

void Reader::on_data_available(DataReader* reader) {
    const reader_spec& spec = world->net.readers[index];
    const listener_spec& listener = world->net.listeners[spec.listener];
    world->arrange(listener.place);
    Receiving& state = receiving();
    event e{};
    e.who = listener.who;
    e.topic = spec.topic;
    e.reader = index;
    SampleInfo info;
    for (;;) {
        int64_t taken = now_ns(), taken_cpu = thread_cpu_ns();
        uint32_t taken_waits, taken_stops;
        thread_switches(&taken_waits, &taken_stops);
        if (reader->take_next_sample(&message, &info) !=
            eprosima::fastrtps::types::ReturnCode_t::RETCODE_OK)
            return;
        if (!info.valid_data || message.header.writer >= world->net.writer_count) continue;
        if (message.header.number >= uint32_t(WARM_UP)) {
            warmed++;
            e.number = uint32_t(WARM_UP);
            tell(&world->net, &e);
            continue;
        }
        e.writer = message.header.writer;
        e.number = message.header.number;
        e.kind = EVENT_RECEIVE;
        e.time = state.begin;
        e.cpu = state.begin_cpu;
        e.waits = state.begin_waits;
        e.stops = state.begin_stops;
        e.busy = e.idle = 0;
        tell(&world->net, &e);
        e.kind = EVENT_CALLBACK;
        e.time = taken;
        e.cpu = taken_cpu;
        e.waits = taken_waits;
        e.stops = taken_stops;
        tell(&world->net, &e);
        ::message told{e.writer, e.topic, e.number};
        world->net.deliver(world->net.context, index, &told);
        e.kind = EVENT_DELIVERED;
        e.time = now_ns();
        e.cpu = thread_cpu_ns();
        thread_switches(&e.waits, &e.stops);
        e.busy = state.busy + e.time - state.begin;
        int64_t ran = state.busy_cpu + e.cpu - state.begin_cpu;
        e.idle = e.busy > ran ? e.busy - ran : 0;
        state.busy = state.busy_cpu = 0;
        tell(&world->net, &e);
    }
}

} // namespace harness
