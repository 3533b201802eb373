// Messages as datagrams: a header, then a part of the payload. Loopback only.
#pragma once
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

enum { PART = 65000, WIRE_MAGIC = 0x44445352 };

struct part_header {
    uint32_t magic;
    uint32_t number, job;
    uint32_t size, offset, length; // of the payload, and of this part of it
    uint16_t writer, reader;
};

int wire_socket(struct sockaddr_in *address); // bound to a free port of 127.0.0.1
// All parts of one copy. False where the kernel refused one.
bool wire_send(int socket, const struct sockaddr_in *to, struct part_header header,
               const unsigned char *payload);
// One datagram, its payload into `buffer`; false for a timeout or foreign bytes.
bool wire_receive(int socket, struct part_header *header, unsigned char *buffer);
