#include "wire.h"

#include <arpa/inet.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>

#include "../../library/failure.h"

static void enlarge(int socket, int forced, int plain) {
    int size = 16 << 20;
    if (setsockopt(socket, SOL_SOCKET, forced, &size, sizeof size))
        setsockopt(socket, SOL_SOCKET, plain, &size, sizeof size); // as far as the limit allows
}

int wire_socket(struct sockaddr_in *address) {
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    socklen_t length = sizeof *address;
    *address = (struct sockaddr_in){.sin_family = AF_INET};
    address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd < 0 || bind(fd, (struct sockaddr *)address, length) ||
        getsockname(fd, (struct sockaddr *)address, &length))
        fail("no UDP socket on 127.0.0.1: %s", strerror(errno));
    enlarge(fd, SO_RCVBUFFORCE, SO_RCVBUF);
    enlarge(fd, SO_SNDBUFFORCE, SO_SNDBUF);
    struct timeval patience = {.tv_usec = 500000}; // a lost message of the end is noticed
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    return fd;
}

bool wire_send(int socket, const struct sockaddr_in *to, struct part_header header,
               const unsigned char *payload) {
    header.magic = WIRE_MAGIC;
    header.offset = 0;
    do {
        uint32_t left = header.size - header.offset;
        header.length = left < PART ? left : PART;
        struct iovec parts[2] = {{&header, sizeof header},
                                 {(void *)(uintptr_t)(payload + header.offset), header.length}};
        struct msghdr message = {.msg_name = (void *)(uintptr_t)to, .msg_namelen = sizeof *to,
                                 .msg_iov = parts, .msg_iovlen = 2};
        if (sendmsg(socket, &message, 0) < 0) return false;
        header.offset += header.length;
    } while (header.offset < header.size);
    return true;
}

bool wire_receive(int socket, struct part_header *header, unsigned char *buffer) {
    struct iovec parts[2] = {{header, sizeof *header}, {buffer, PART}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    ssize_t size = recvmsg(socket, &message, 0);
    return size >= (ssize_t)sizeof *header && header->magic == WIRE_MAGIC &&
           (size_t)size == sizeof *header + header->length;
}
