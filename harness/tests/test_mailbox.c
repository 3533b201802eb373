#include "../application/mailbox.h"
#include "check.h"

static struct item message(uint32_t number) { return (struct item){.is_message = true, .number = number}; }

int main(void) {
    struct item items[8];
    struct mailbox *any = mailbox_create(2, BY_ANY);
    mailbox_put(any, 1, message(7));
    mailbox_put(any, 0, message(8));
    CHECK(mailbox_waiting(any) == 2);
    CHECK(mailbox_take(any, items) == 1 && items[0].number == 7); // first come, first served
    CHECK(mailbox_take(any, items) == 1 && items[0].number == 8);
    for (uint32_t i = 0; i < MAILBOX_DEPTH; i++) CHECK(mailbox_put(any, 0, message(i)));
    CHECK(!mailbox_put(any, 0, message(0))); // says that it is full
    mailbox_close(any);
    CHECK(mailbox_take(any, items) == 0);
    mailbox_destroy(any);

    struct mailbox *all = mailbox_create(2, BY_ALL);
    mailbox_put(all, 0, message(1));
    mailbox_put(all, 0, message(2));
    mailbox_put(all, 1, message(3));
    CHECK(mailbox_take(all, items) == 2 && items[0].number == 1 && items[1].number == 3);
    CHECK(mailbox_waiting(all) == 1);
    mailbox_close(all);
    CHECK(mailbox_take(all, items) == 0);
    mailbox_destroy(all);

    struct mailbox *registers = mailbox_create(2, BY_TIMER);
    CHECK(mailbox_take(registers, items) == 0); // does not wait
    mailbox_put(registers, 1, message(4));
    mailbox_put(registers, 1, message(5));
    CHECK(mailbox_take(registers, items) == 1 && items[0].number == 5); // the newest
    CHECK(mailbox_take(registers, items) == 1); // stays
    mailbox_destroy(registers);
    return 0;
}
