// Fast DDS. A participant for each flow controller (its writers share it, and so one send mutex),
// one for each thread that publishes synchronously, and one for each listener: a participant's
// readers share the thread that receives.
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/publisher/qos/DataWriterQos.hpp>
#include <fastdds/rtps/flowcontrol/FlowControllerDescriptor.hpp>
#include <fastrtps/attributes/LibrarySettingsAttributes.h>
#include <fastrtps/config.h>
#include <fastrtps/xmlparser/XMLProfileManager.h>

#include "../../library/failure.h"
#include "../../library/stop.h"
#include "world.hpp"

using namespace eprosima::fastdds::dds;
namespace rtps = eprosima::fastdds::rtps;
using eprosima::fastrtps::rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;

namespace harness {

Participant& World::participant(const std::string& name, int controller) {
    Participant& made = participants_[name];
    if (made.participant) return made;
    DomainParticipantQos qos;
    qos.name(name);
    qos.transport().use_builtin_transports = false;
    qos.transport().user_transports.push_back(watched_transport(this, &made.writers));
    for (int i = 0; i < net.controller_count; i++) {
        if (i != controller && !net.one_participant) continue;
        static const rtps::FlowControllerSchedulerPolicy policies[POLICIES] = {
            rtps::FlowControllerSchedulerPolicy::FIFO,
            rtps::FlowControllerSchedulerPolicy::HIGH_PRIORITY,
            rtps::FlowControllerSchedulerPolicy::ROUND_ROBIN,
            rtps::FlowControllerSchedulerPolicy::PRIORITY_WITH_RESERVATION};
        auto descriptor = std::make_shared<rtps::FlowControllerDescriptor>();
        descriptor->name = names_[size_t(i)].c_str();
        descriptor->scheduler = policies[net.controllers[i].policy];
        descriptor->max_bytes_per_period = net.controllers[i].bytes;
        descriptor->period_ms = uint64_t(net.controllers[i].period_ms);
        qos.flow_controllers().push_back(descriptor);
    }
    made.participant =
        DomainParticipantFactory::get_instance()->create_participant(uint32_t(domain_), qos);
    if (!made.participant) fail("Fast DDS made no participant for %s", name.c_str());
    made.publisher = made.participant->create_publisher(PUBLISHER_QOS_DEFAULT);
    made.subscriber = made.participant->create_subscriber(SUBSCRIBER_QOS_DEFAULT);
    return made;
}

Topic* World::topic(Participant& participant, int index) {
    Topic*& made = participant.topics[index];
    if (made) return made;
    TypeSupport& type = types_[size_t(index)];
    type.register_type(participant.participant);
    std::string name = "ddsrta_" + std::to_string(getpid()) + "_" + std::to_string(index);
    made = participant.participant->create_topic(name, type.get_type_name(), TOPIC_QOS_DEFAULT);
    if (!made) fail("Fast DDS made no topic");
    return made;
}

void World::make_writer(uint16_t index) {
    const writer_spec& spec = net.writers[index];
    const topic_spec& about = net.topics[spec.topic];
    bool async = spec.controller >= 0;
    std::string name = async ? "controller " + std::to_string(spec.controller)
                             : "thread " + std::to_string(spec.who);
    Participant& home = participant(net.one_participant ? "all writers" : name, spec.controller);
    DataWriterQos qos;
    qos.publish_mode().kind = async ? ASYNCHRONOUS_PUBLISH_MODE : SYNCHRONOUS_PUBLISH_MODE;
    if (async) qos.publish_mode().flow_controller_name = names_[size_t(spec.controller)].c_str();
    int urgency = about.priority < -10 ? -10 : about.priority > 10 ? 10 : about.priority;
    qos.properties().properties().emplace_back("fastdds.sfc.priority", std::to_string(urgency));
    if (spec.reserved)
        qos.properties().properties().emplace_back("fastdds.sfc.bandwidth_reservation",
                                                   std::to_string(spec.reserved));
    qos.reliability().kind =
        net.reliable ? RELIABLE_RELIABILITY_QOS : BEST_EFFORT_RELIABILITY_QOS;
    qos.history().kind = KEEP_LAST_HISTORY_QOS;
    qos.history().depth = int32_t(about.history);
    qos.resource_limits().max_samples = int32_t(about.history) + 10;
    qos.resource_limits().max_samples_per_instance = int32_t(about.history) + 10;
    qos.resource_limits().allocated_samples = 4;
    qos.data_sharing().off();
    qos.endpoint().history_memory_policy = PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
    auto& writer = writers_[index];
    writer->message.bytes.assign(about.size, 'd');
    writer->message.header = {0, index, spec.topic};
    writer->writer = home.publisher->create_datawriter(topic(home, spec.topic), qos);
    if (!writer->writer) fail("Fast DDS made no writer for topic %d", spec.topic);
    const auto& id = writer->writer->guid().entityId.value;
    home.writers.add(uint32_t(id[0]) << 24 | id[1] << 16 | id[2] << 8 | id[3], index);
}

void World::make_reader(uint16_t index) {
    const reader_spec& spec = net.readers[index];
    Participant& home = participant("listener " + std::to_string(spec.listener), SYNCHRONOUS);
    DataReaderQos qos;
    qos.reliability().kind =
        net.reliable ? RELIABLE_RELIABILITY_QOS : BEST_EFFORT_RELIABILITY_QOS;
    qos.history().kind = KEEP_LAST_HISTORY_QOS;
    qos.history().depth = 16; // taken as soon as they come
    qos.data_sharing().off();
    qos.endpoint().history_memory_policy = PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
    auto& reader = readers_[index];
    reader->world = this;
    reader->index = index;
    reader->message.bytes.resize(net.topics[spec.topic].size);
    if (!home.subscriber->create_datareader(topic(home, spec.topic), qos, reader.get()))
        fail("Fast DDS made no reader for topic %d", spec.topic);
}

// Until every reader has got a message of every writer: then all threads exist and are placed.
void World::warm_up() {
    for (int round = 0; round < 1000 && !stopped(); round++) {
        bool ready = true;
        for (auto& reader : readers_) {
            int writers = 0;
            for (int w = 0; w < net.writer_count; w++)
                writers += net.writers[w].topic == net.readers[reader->index].topic;
            if (reader->matched < writers) ready = false;
            else if (writers && reader->warmed < uint32_t(writers) * 3) ready = false;
        }
        if (ready) return;
        for (uint16_t w = 0; w < net.writer_count; w++) {
            bool connected = true;
            for (auto& reader : readers_)
                if (net.readers[reader->index].topic == net.writers[w].topic && !reader->matched)
                    connected = false;
            if (connected) write(w, WARM_UP, 0);
        }
        usleep(10000);
    }
    if (!stopped()) fail("Fast DDS did not connect all writers and readers within 10 s");
}

void World::open() {
    eprosima::fastrtps::LibrarySettingsAttributes settings;
    settings.intraprocess_delivery = eprosima::fastrtps::INTRAPROCESS_OFF;
    eprosima::fastrtps::xmlparser::XMLProfileManager::library_settings(settings);
    for (int i = 0; i < net.controller_count; i++) names_.push_back("F" + std::to_string(i));
    for (int i = 0; i < net.topic_count; i++) types_.emplace_back(new Type(net.topics[i].size));
    for (int i = 0; i < net.writer_count; i++) writers_.push_back(std::make_unique<Writer>());
    for (int i = 0; i < net.reader_count; i++) readers_.push_back(std::make_unique<Reader>());
    for (int i = 0; i < net.writer_count; i++) make_writer(uint16_t(i));
    for (int i = 0; i < net.reader_count; i++) make_reader(uint16_t(i));
    warm_up();
    usleep(200000); // warm-up messages and discovery die away
}

bool World::write(uint16_t index, uint32_t number, uint32_t job) {
    Writer& writer = *writers_[index];
    writer.message.header.number = number;
    if (number >= uint32_t(WARM_UP)) writer.warm++;
    else writer.jobs[number % writer.jobs.size()] = job;
    return writer.writer->write(&writer.message);
}

void World::close() {
    for (auto& [name, made] : participants_) {
        made.participant->delete_contained_entities();
        DomainParticipantFactory::get_instance()->delete_participant(made.participant);
    }
}

} // namespace harness

using harness::World;

static World* of(struct world* world) { return reinterpret_cast<World*>(world); }

static struct world* fastdds_open(const network* net) {
    auto* world = new World(*net);
    world->open();
    return reinterpret_cast<struct world*>(world);
}

static bool fastdds_write(struct world* world, uint16_t writer, uint32_t number, uint32_t job) {
    return of(world)->write(writer, number, job);
}

static uint64_t fastdds_dropped(struct world*) { return 0; } // it does not tell

static int fastdds_threads(struct world* world, int* tids, int most) {
    std::lock_guard<std::mutex> lock(of(world)->tids_mutex);
    int count = 0;
    for (int tid : of(world)->tids)
        if (count < most) tids[count++] = tid;
    return count;
}

static void fastdds_close(struct world* world) {
    of(world)->close();
    delete of(world);
}

extern "C" const middleware fastdds_middleware = {
    "fastdds",     "Fast DDS " FASTRTPS_VERSION_STR, true, true, fastdds_open, fastdds_write,
    fastdds_dropped, fastdds_threads, fastdds_close};
