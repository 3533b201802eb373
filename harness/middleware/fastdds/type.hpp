// What travels: a few numbers, then bytes up to the topic's size; written by hand, so that no
// generator is needed. Serialising and taking copy all bytes, as for a real message.
#pragma once
#include <fastdds/dds/topic/TopicDataType.hpp>

#include <cstring>
#include <functional>
#include <vector>

#include "../middleware.h"

namespace harness {

struct Payload {
    uint32_t number;
    uint16_t writer, topic;
};

struct Message {
    Payload header;
    std::vector<unsigned char> bytes;
};

class Type : public eprosima::fastdds::dds::TopicDataType {
    using Serialized = eprosima::fastrtps::rtps::SerializedPayload_t;
    enum { ENCAPSULATION = 4 };
    uint32_t size_;

public:
    explicit Type(uint32_t size) : size_(size) {
        setName(("bytes_" + std::to_string(size)).c_str());
        m_typeSize = size + ENCAPSULATION;
        m_isGetKeyDefined = false;
    }
    bool serialize(void* data, Serialized* payload) override {
        auto* message = static_cast<Message*>(data);
        const unsigned char encapsulation[ENCAPSULATION] = {0, 1, 0, 0};
        payload->encapsulation = 1; // little endian
        payload->length = size_ + ENCAPSULATION;
        memcpy(payload->data, encapsulation, ENCAPSULATION);
        memcpy(payload->data + ENCAPSULATION, &message->header, sizeof message->header);
        memcpy(payload->data + ENCAPSULATION + sizeof message->header, message->bytes.data(),
               size_ - sizeof message->header);
        return true;
    }
    bool deserialize(Serialized* payload, void* data) override {
        auto* message = static_cast<Message*>(data);
        if (payload->length != size_ + ENCAPSULATION) return false;
        memcpy(&message->header, payload->data + ENCAPSULATION, sizeof message->header);
        memcpy(message->bytes.data(), payload->data + ENCAPSULATION + sizeof message->header,
               size_ - sizeof message->header);
        return true;
    }
    std::function<uint32_t()> getSerializedSizeProvider(void*) override {
        return [this]() { return size_ + ENCAPSULATION; };
    }
    void* createData() override { return new Message{{}, std::vector<unsigned char>(size_)}; }
    void deleteData(void* data) override { delete static_cast<Message*>(data); }
    bool getKey(void*, eprosima::fastrtps::rtps::InstanceHandle_t*, bool) override { return false; }
};

} // namespace harness
