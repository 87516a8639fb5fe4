// SPDX-License-Identifier: Apache-2.0

#include <avahi-client/client.h>
#include <avahi-client/lookup.h>
#include <avahi-client/publish.h>
#include <avahi-common/address.h>
#include <avahi-common/error.h>
#include <avahi-common/strlst.h>
#include <avahi-common/thread-watch.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>

// What Swift cannot reach: calls through a table of functions, a union, timerfd.

static inline AvahiWatch *mingle_watch_new(const AvahiPoll *poll, int fd, AvahiWatchCallback callback, void *data) {
    return poll->watch_new(poll, fd, AVAHI_WATCH_IN, callback, data);
}

static inline void mingle_watch_free(const AvahiPoll *poll, AvahiWatch *watch) {
    poll->watch_free(watch);
}

static inline const uint8_t *mingle_address_bytes(const AvahiAddress *address) {
    return (const uint8_t *)&address->data;
}

// Avahi's own timeouts follow the wall clock and stand still when it is set back; this one does not.
static inline int mingle_timer_new(void) {
    return timerfd_create(CLOCK_BOOTTIME, TFD_NONBLOCK | TFD_CLOEXEC);
}

// Zero nanoseconds disarm it.
static inline int mingle_timer_set(int fd, int64_t nanoseconds) {
    struct itimerspec spec = {{0, 0}, {nanoseconds / 1000000000, nanoseconds % 1000000000}};
    return timerfd_settime(fd, 0, &spec, 0);
}

static inline void mingle_timer_acknowledge(int fd) {
    uint64_t count;
    if (read(fd, &count, sizeof count) < 0) { return; }
}

static inline void mingle_timer_close(int fd) {
    close(fd);
}
