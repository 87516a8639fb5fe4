// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "disk.h"
#include "simulated_disk.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
static struct disk *disks;

// MARK: - Disks

static struct disk *find(const char *path) {
    for (struct disk *disk = disks; disk; disk = disk->next) {
        if (strncmp(path, disk->prefix, strlen(disk->prefix)) == 0) return disk;
    }
    return NULL;
}

struct disk *disk_at(const char *path) {
    pthread_mutex_lock(&table);
    struct disk *disk = find(path);
    pthread_mutex_unlock(&table);
    return disk;
}

bool simulated_disk_add(const char *prefix) {
    struct disk *disk = calloc(1, sizeof *disk);
    char *copy = strdup(prefix);
    if (!disk || !copy) {
        free(disk);
        free(copy);
        return false;
    }
    *disk = (struct disk){.prefix = copy, .room = -1, .operations_left = -1};
    pthread_mutex_lock(&table);
    disk->next = disks;
    disks = disk;
    pthread_mutex_unlock(&table);
    return true;
}

struct file *find_file(struct disk *disk, const char *path) {
    for (struct file *file = disk ? disk->files : NULL; file; file = file->next) {
        if (strcmp(file->path, path) == 0) return file;
    }
    return NULL;
}

static void free_file(struct file *file) {
    for (int64_t sector = 0; sector < file->durable_count; sector++) free(file->durable[sector]);
    for (int region = 0; region < file->region_count; region++) free(file->regions[region]);
    free(file->durable);
    free(file->regions);
    free(file->bytes);
    free(file->path);
    free(file);
}

void detach(struct file *file) {
    struct file **link = &file->disk->files;
    while (*link != file) link = &(*link)->next;
    *link = file->next;
    file->next = NULL;
    file->disk = NULL;
    if (file->references == 0) free_file(file);
}

void simulated_disk_remove(const char *prefix) {
    pthread_mutex_lock(&table);
    for (struct disk **link = &disks; *link; link = &(*link)->next) {
        struct disk *disk = *link;
        if (strcmp(disk->prefix, prefix) != 0) continue;
        *link = disk->next;
        while (disk->files) detach(disk->files);
        free(disk->prefix);
        free(disk);
        break;
    }
    pthread_mutex_unlock(&table);
}

int64_t simulated_disk_size(const char *prefix) {
    int64_t size = 0;
    struct disk *disk = disk_at(prefix);
    for (struct file *file = disk ? disk->files : NULL; file; file = file->next) size += file->size;
    return size;
}

void simulated_disk_limit(const char *prefix, int64_t bytes) {
    struct disk *disk = disk_at(prefix);
    if (disk) disk->room = bytes;
}

void simulated_disk_fail_after(const char *prefix, int64_t operations) {
    struct disk *disk = disk_at(prefix);
    if (disk) disk->operations_left = operations;
}

bool simulated_disk_has_failed(const char *prefix) {
    struct disk *disk = disk_at(prefix);
    return disk && disk->has_failed;
}

// MARK: - Files

struct file *make_file(struct disk *disk, const char *path) {
    struct file *file = calloc(1, sizeof *file);
    char *copy = strdup(path);
    if (!file || !copy) {
        free(file);
        free(copy);
        return NULL;
    }
    file->path = copy;
    file->disk = disk;
    file->next = disk->files;
    disk->files = file;
    return file;
}

struct file *disk_open(const char *path, bool make) {
    struct disk *disk = disk_at(path);
    struct file *file = find_file(disk, path);
    if (!file && make && disk) file = make_file(disk, path);
    if (file) file->references += 1;
    return file;
}

void disk_release(struct file *file) {
    file->references -= 1;
    if (file->references == 0 && !file->disk) free_file(file);
}

void disk_delete(const char *path) {
    struct file *file = find_file(disk_at(path), path);
    if (file) detach(file);
}

bool disk_works(const char *path) {
    struct disk *disk = disk_at(path);
    return disk && !disk->has_failed;
}

/// Counts an operation that reaches the disk; false if there is no disk any more.
static bool is_reached(struct file *file) {
    struct disk *disk = file->disk;
    if (!disk || disk->has_failed) return false;
    if (disk->operations_left > 0) disk->operations_left -= 1;
    if (disk->operations_left != 0) return true;
    disk->has_failed = true;
    return false;
}

bool grow(struct file *file, int64_t size) {
    if (size <= file->capacity) return true;
    int64_t capacity = file->capacity < 65536 ? 65536 : file->capacity;
    while (capacity < size) capacity *= 2;
    uint8_t *bytes = realloc(file->bytes, (size_t)capacity);
    if (!bytes) return false;
    file->bytes = bytes;
    memset(bytes + file->capacity, 0, (size_t)(capacity - file->capacity));
    file->capacity = capacity;
    return true;
}

/// Remembers what the disk holds of sectors that are about to be written.
static bool remember(struct file *file, int64_t offset, int64_t end) {
    if (end > file->durable_size) end = file->durable_size;
    for (int64_t sector = offset / sector_size; sector * sector_size < end; sector++) {
        if (sector >= file->durable_count) {
            int64_t count = file->durable_size / sector_size + 1;
            uint8_t **durable = realloc(file->durable, (size_t)count * sizeof *durable);
            if (!durable) return false;
            memset(durable + file->durable_count, 0, (size_t)(count - file->durable_count) * sizeof *durable);
            file->durable = durable;
            file->durable_count = count;
        }
        if (file->durable[sector]) continue;
        uint8_t *copy = malloc(sector_size);
        if (!copy) return false;
        memcpy(copy, file->bytes + sector * sector_size, sector_size);
        file->durable[sector] = copy;
    }
    return true;
}

int file_read(struct file *file, void *buffer, int count, int64_t offset) {
    if (!file->disk || file->disk->has_failed) return SQLITE_IOERR_READ;
    int64_t held = file->size - offset;
    if (held >= count) {
        memcpy(buffer, file->bytes + offset, (size_t)count);
        return SQLITE_OK;
    }
    if (held < 0) held = 0;
    if (held > 0) memcpy(buffer, file->bytes + offset, (size_t)held);
    memset((uint8_t *)buffer + held, 0, (size_t)(count - held));
    return SQLITE_IOERR_SHORT_READ;
}

int file_write(struct file *file, const void *buffer, int count, int64_t offset) {
    if (!is_reached(file)) return SQLITE_IOERR_WRITE;
    int64_t end = offset + count;
    struct disk *disk = file->disk;
    if (end > file->size && disk->room >= 0 && simulated_disk_size(disk->prefix) + end - file->size > disk->room) {
        return SQLITE_FULL;
    }
    // Whole sectors are remembered, so there has to be room for them.
    if (!grow(file, (end / sector_size + 1) * sector_size) || !remember(file, offset, end)) return SQLITE_NOMEM;
    memcpy(file->bytes + offset, buffer, (size_t)count);
    if (end > file->size) file->size = end;
    return SQLITE_OK;
}

int file_truncate(struct file *file, int64_t size) {
    if (!is_reached(file)) return SQLITE_IOERR_TRUNCATE;
    if (size < file->size) {
        if (!remember(file, size, file->size)) return SQLITE_NOMEM;
        memset(file->bytes + size, 0, (size_t)(file->size - size));
        file->size = size;
        if (size < file->shortest) file->shortest = size;
    }
    return SQLITE_OK;
}

int file_synchronize(struct file *file) {
    if (!is_reached(file)) return SQLITE_IOERR_FSYNC;
    for (int64_t sector = 0; sector < file->durable_count; sector++) {
        free(file->durable[sector]);
        file->durable[sector] = NULL;
    }
    file->durable_size = file->shortest = file->size;
    return SQLITE_OK;
}
