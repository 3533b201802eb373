#include "hooks.hpp"

#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>

#include <cstring>

#include "../../library/clock.h"

namespace harness {

using namespace eprosima::fastdds::rtps;
using namespace eprosima::fastrtps::rtps;

void Writers::add(uint32_t entity, uint16_t index) {
    size_t used = count.load();
    if (used == entries.size()) return;
    entries[used] = {entity, index};
    count.store(used + 1);
}

int Writers::find(uint32_t entity) const {
    size_t used = count.load();
    for (size_t i = 0; i < used; i++)
        if (entries[i].entity == entity) return entries[i].index;
    return -1;
}

Receiving& receiving() {
    static thread_local Receiving state{};
    return state;
}

namespace {

enum { RTPS_HEADER = 20, DATA = 0x15, DATA_FRAG = 0x16, MOST_PARTS = 512 };

// Numbers in submessages have the byte order that a flag tells; entity identifiers are big endian.
uint32_t number(const octet* at, int bytes, bool little) {
    uint32_t value = 0;
    for (int i = 0; i < bytes; i++) value |= uint32_t(at[i]) << 8 * (little ? i : bytes - 1 - i);
    return value;
}

size_t parts_of(const octet* bytes, uint32_t size, const Writers& writers, Part* parts) {
    size_t count = 0;
    for (uint32_t at = RTPS_HEADER; at + 4 <= size && count < MOST_PARTS;) {
        const octet* body = bytes + at + 4;
        bool little = bytes[at + 1] & 1;
        uint32_t length = number(bytes + at + 2, 2, little);
        if (length == 0) length = size - at - 4; // the last one may leave it out
        if (length > size - at - 4) break;
        bool whole = bytes[at] == DATA;
        if ((whole && length >= 20) || (bytes[at] == DATA_FRAG && length >= 32)) {
            int writer = writers.find(number(body + 8, 4, false));
            Part part{uint16_t(writer), number(body + 16, 4, little), true, true};
            if (!whole) {
                uint32_t start = number(body + 20, 4, little);
                uint32_t end = start - 1 + number(body + 24, 2, little);
                uint32_t each = number(body + 26, 2, little);
                part.first = start == 1;
                part.last = each && end >= (number(body + 28, 4, little) + each - 1) / each;
            }
            if (writer >= 0) parts[count++] = part;
        }
        at += 4 + length;
    }
    return count;
}

class Descriptor : public ChainingTransportDescriptor {
public:
    Descriptor(std::shared_ptr<TransportDescriptorInterface> low, Watcher* watcher,
               const Writers* writers)
        : ChainingTransportDescriptor(low), watcher(watcher), writers(writers) {}
    TransportInterface* create_transport() const override;
    Watcher* watcher;
    const Writers* writers;
};

class Transport : public ChainingTransport {
public:
    explicit Transport(const Descriptor& descriptor)
        : ChainingTransport(descriptor), descriptor_(descriptor) {}

    TransportDescriptorInterface* get_configuration() override { return &descriptor_; }

    bool send(SenderResource* low, const octet* bytes, uint32_t size, LocatorsIterator* begin,
              LocatorsIterator* end, const std::chrono::steady_clock::time_point& until) override {
        Part parts[MOST_PARTS];
        size_t count = parts_of(bytes, size, *descriptor_.writers, parts);
        if (!count) return low->send(bytes, size, begin, end, until);
        int64_t began = now_ns(), began_cpu = thread_cpu_ns();
        descriptor_.watcher->before_send(parts, count);
        bool sent = low->send(bytes, size, begin, end, until);
        descriptor_.watcher->after_send(parts, count, now_ns() - began, thread_cpu_ns() - began_cpu);
        return sent;
    }

    void receive(TransportReceiverInterface* next, const octet* bytes, uint32_t size,
                 const Locator_t& local, const Locator_t& remote) override {
        Receiving& state = receiving();
        state.begin = now_ns();
        state.begin_cpu = thread_cpu_ns();
        thread_switches(&state.begin_waits, &state.begin_stops);
        next->OnDataReceived(bytes, size, local, remote);
        state.busy += now_ns() - state.begin;
        state.busy_cpu += thread_cpu_ns() - state.begin_cpu;
    }

private:
    Descriptor descriptor_;
};

TransportInterface* Descriptor::create_transport() const { return new Transport(*this); }

} // namespace

std::shared_ptr<TransportDescriptorInterface> watched_transport(Watcher* watcher,
                                                                const Writers* writers) {
    auto udp = std::make_shared<UDPv4TransportDescriptor>();
    udp->interfaceWhiteList.push_back("127.0.0.1");
    udp->sendBufferSize = udp->receiveBufferSize = 4 << 20;
    return std::make_shared<Descriptor>(udp, watcher, writers);
}

} // namespace harness
