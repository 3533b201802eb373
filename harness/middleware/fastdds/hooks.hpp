// Where Fast DDS can be watched: a transport chained before UDP sees each datagram leave and come.
#pragma once
#include <fastdds/rtps/transport/ChainingTransport.h>
#include <fastdds/rtps/transport/ChainingTransportDescriptor.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

#include "../middleware.h"

namespace harness {

// The writers of one participant as the datagrams name them. Datagrams of discovery leave while
// writers are still being added, hence the atomic count.
struct Writers {
    struct Entry {
        uint32_t entity;
        uint16_t index;
    };
    std::array<Entry, 256> entries;
    std::atomic<size_t> count{0};

    void add(uint32_t entity, uint16_t index);
    int find(uint32_t entity) const; // -1: none of ours
};

// A sample, or a part of one, in a datagram.
struct Part {
    uint16_t writer;
    uint32_t sequence; // of Fast DDS, from 1
    bool first, last;
};

// Told of each datagram, in the thread that sends or receives it.
class Watcher {
public:
    virtual ~Watcher() = default;
    virtual void before_send(const Part* parts, size_t count) = 0;
    virtual void after_send(const Part* parts, size_t count, int64_t busy, int64_t busy_cpu) = 0;
};

// Of the calling thread: the datagram that it handles now, and its time with earlier ones since
// the last message was delivered.
struct Receiving {
    int64_t begin, begin_cpu, busy, busy_cpu;
    uint32_t begin_waits, begin_stops;
};
Receiving& receiving();

std::shared_ptr<eprosima::fastdds::rtps::TransportDescriptorInterface> watched_transport(
    Watcher* watcher, const Writers* writers);

} // namespace harness
