// SPDX-License-Identifier: Apache-2.0

// What befalls disks: power cuts and copies.

#define _GNU_SOURCE
#include "disk.h"
#include "simulated_disk.h"

#include <stdlib.h>
#include <string.h>

static uint64_t next(uint64_t *state) {
    uint64_t word = (*state += 0x9e3779b97f4a7c15);
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9;
    word = (word ^ (word >> 27)) * 0x94d049bb133111eb;
    return word ^ (word >> 31);
}

/// Takes back some of what a sector was given since the last synchronization.
static void lose(uint8_t *bytes, const uint8_t *durable, uint64_t *dice) {
    switch (next(dice) % 3) {
    case 0: memcpy(bytes, durable, sector_size); break;
    case 1:
        for (int part = 0; part < sector_size; part += 512) {
            if (next(dice) % 2) memcpy(bytes + part, durable + part, 512);
        }
        break;
    default: break;
    }
}

/// Lets the disk know that a file became shorter, or not. A length is not written by sectors, so what stood behind it is there as
/// a whole or not at all (an inode changes in one step, and what it refers to was not written since); SQLite relies on it where it
/// empties a log. What was written there afterwards is lost like all else.
static void settle_length(struct file *file, uint64_t *dice) {
    if (file->shortest >= file->durable_size) return;
    bool is_known = next(dice) % 2;
    for (int64_t sector = file->shortest / sector_size; sector < file->durable_count; sector++) {
        uint8_t *durable = file->durable[sector];
        int64_t start = sector * sector_size, kept = file->shortest > start ? file->shortest - start : 0;
        if (!durable) continue;
        if (is_known) {
            memset(durable + kept, 0, (size_t)(sector_size - kept));
        } else if (start >= file->size) {
            memcpy(file->bytes + start, durable, sector_size);
        }
    }
    if (is_known) {
        file->durable_size = file->shortest;
    } else if (file->size < file->durable_size) {
        file->size = file->durable_size;
    }
}

static void cut_power(struct file *file, uint64_t *dice) {
    static const uint8_t nothing[sector_size];
    settle_length(file, dice);
    int64_t longest = file->size > file->durable_size ? file->size : file->durable_size;
    for (int64_t sector = 0; sector * sector_size < longest; sector++) {
        bool is_new = sector * sector_size >= file->durable_size;
        const uint8_t *durable = sector < file->durable_count ? file->durable[sector] : NULL;
        if (is_new) durable = nothing;
        if (durable) lose(file->bytes + sector * sector_size, durable, dice);
    }
    // So is a length that grew the old one or the new one.
    if (file->size != file->durable_size && next(dice) % 2) file->size = file->durable_size;
    if (file->size < file->capacity) {
        memset(file->bytes + file->size, 0, (size_t)(file->capacity - file->size));
    }
    file_synchronize(file);
}

/// Puts a file in the place of one that is open, with its content.
static void replace(struct file *old) {
    struct disk *disk = old->disk;
    struct file *file = make_file(disk, old->path);
    if (file) {
        file->bytes = old->bytes;
        file->size = file->durable_size = file->shortest = old->size;
        file->capacity = old->capacity;
        old->bytes = NULL;
        old->size = old->capacity = old->durable_size = old->shortest = 0;
    }
    detach(old);
}

void simulated_disk_crash(const char *prefix, bool power_is_cut, uint64_t seed) {
    struct disk *disk = disk_at(prefix);
    if (!disk) return;
    disk->has_failed = false;
    disk->operations_left = -1;
    struct file *files = disk->files;
    for (struct file *file = files, *rest = NULL; file; file = rest) {
        rest = file->next;
        if (power_is_cut) cut_power(file, &seed);
        replace(file);
    }
}

bool simulated_disk_copy(const char *from, const char *to) {
    struct disk *source = disk_at(from), *goal = disk_at(to);
    if (!source || !goal) return false;
    while (goal->files) detach(goal->files);
    for (struct file *file = source->files; file; file = file->next) {
        char path[1024];
        if (strlen(goal->prefix) + strlen(file->path) >= sizeof path) return false;
        strcpy(path, goal->prefix);
        strcat(path, file->path + strlen(source->prefix));
        struct file *copy = make_file(goal, path);
        if (!copy || !grow(copy, (file->size / sector_size + 1) * sector_size)) return false;
        if (file->size > 0) memcpy(copy->bytes, file->bytes, (size_t)file->size);
        copy->size = copy->durable_size = copy->shortest = file->size;
    }
    return true;
}

bool simulated_disk_flip(const char *path, int count, uint64_t seed) {
    struct disk *disk = disk_at(path);
    struct file *file = disk ? find_file(disk, path) : NULL;
    if (!file || file->size == 0) return false;
    for (int flip = 0; flip < count; flip++) {
        int64_t place = (int64_t)(next(&seed) % (uint64_t)file->size);
        file->bytes[place] ^= (uint8_t)(1u << next(&seed) % 8);
    }
    return true;
}

// What follows in a page may be a digit by chance, so a number that nothing closes may be another one.
static uint64_t number(const uint8_t *digits, const uint8_t *end) {
    uint64_t number = 0;
    while (digits < end && *digits >= '0' && *digits <= '9') number = number * 10 + (*digits++ - '0');
    return digits < end && *digits == ';' ? number : 0;
}

size_t simulated_disk_numbers(const char *prefix, const uint8_t *mark, size_t count, uint64_t *numbers, size_t limit) {
    size_t found = 0;
    struct disk *disk = disk_at(prefix);
    for (struct file *file = disk ? disk->files : NULL; file && count > 0; file = file->next) {
        const uint8_t *place = file->bytes, *end = file->bytes + file->size;
        while (place && found < limit && (place = memmem(place, (size_t)(end - place), mark, count))) {
            place += count;
            numbers[found++] = number(place, end);
        }
    }
    return found;
}

const uint8_t *simulated_disk_file(const char *prefix, size_t place, size_t *count) {
    static const uint8_t nothing[1];
    struct disk *disk = disk_at(prefix);
    struct file *file = disk ? disk->files : NULL;
    while (file && place-- > 0) file = file->next;
    if (!file) return NULL;
    *count = (size_t)file->size;
    return file->bytes ? file->bytes : nothing;
}

bool simulated_disk_contains(const void *bytes, size_t count, const void *part, size_t part_count) {
    return memmem(bytes, count, part, part_count) != NULL;
}
