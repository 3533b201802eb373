// The parts of a running network on Fast DDS.
#pragma once
#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/DataReaderListener.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <unistd.h>

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "hooks.hpp"
#include "type.hpp"

namespace harness {

namespace dds = eprosima::fastdds::dds;

struct Participant {
    dds::DomainParticipant* participant = nullptr;
    dds::Publisher* publisher = nullptr;
    dds::Subscriber* subscriber = nullptr;
    Writers writers;
    std::map<int, dds::Topic*> topics;
};

class World;

struct Reader : dds::DataReaderListener {
    World* world;
    uint16_t index;
    std::atomic<int> matched{0};
    std::atomic<uint32_t> warmed{0};
    Message message;
    void on_subscription_matched(dds::DataReader*, const dds::SubscriptionMatchedStatus& status) override {
        matched = status.current_count;
    }
    void on_data_available(dds::DataReader* reader) override;
};

struct Writer {
    dds::DataWriter* writer = nullptr;
    Message message;
    std::atomic<uint32_t> warm{0};
    std::vector<uint32_t> jobs = std::vector<uint32_t>(4096); // of the last messages
    int64_t busy = 0, busy_cpu = 0;
};

class World : public Watcher {
public:
    explicit World(const network& description) : net(description) {}
    void open();
    bool write(uint16_t index, uint32_t number, uint32_t job);
    void close();
    void before_send(const Part* parts, size_t count) override;
    void after_send(const Part* parts, size_t count, int64_t busy, int64_t busy_cpu) override;
    void arrange(struct place place); // the calling thread is one of the middleware's: place it once

    network net;
    std::mutex tids_mutex;
    std::vector<int> tids;

private:
    void make_writer(uint16_t index);
    void make_reader(uint16_t index);
    void warm_up();
    Participant& participant(const std::string& name, int controller);
    dds::Topic* topic(Participant& participant, int index);
    event describe(event_kind kind, const Part& part) const;

    int domain_ = 1 + getpid() % 200;
    std::map<std::string, Participant> participants_;
    std::vector<std::unique_ptr<Writer>> writers_;
    std::vector<std::unique_ptr<Reader>> readers_;
    std::vector<dds::TypeSupport> types_;
    std::vector<std::string> names_; // Fast DDS keeps pointers into them
};

} // namespace harness
