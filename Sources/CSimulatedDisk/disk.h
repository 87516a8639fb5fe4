// SPDX-License-Identifier: Apache-2.0

#ifndef MINGLE_DISK_H
#define MINGLE_DISK_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

/// What is written as a whole or not at all, if it is not torn.
enum { sector_size = 4096, shared_locks = SQLITE_SHM_NLOCK };

struct disk;

/// A file's content, with what the disk would hold of it after a power cut.
struct file {
    struct file *next;
    /// The disk it stands on; NULL once the power was cut or the program killed under those that have it open.
    struct disk *disk;
    char *path;
    uint8_t *bytes;
    int64_t size, capacity;
    /// Bytes at the last synchronization.
    int64_t durable_size;
    /// The least length since then: what stood behind it was cut off.
    int64_t shortest;
    /// What a sector held at the last synchronization, where it has been written since.
    uint8_t **durable;
    int64_t durable_count;
    int references;
    /// Locks of the file itself, as SQLite's levels.
    int shared;
    bool is_reserved, is_pending, is_exclusive;
    /// The index of the write-ahead log, and who has locked what of it.
    uint8_t **regions;
    int region_count;
    int shared_users[shared_locks];
    bool is_locked[shared_locks];
};

struct disk {
    struct disk *next;
    char *prefix;
    struct file *files;
    int64_t room, operations_left;
    bool has_failed;
};

/// The disk on which a path lies; NULL if there is none.
struct disk *disk_at(const char *path);

/// The file at a path, made if wanted; NULL if there is none.
struct file *disk_open(const char *path, bool make);

/// The file at a path; NULL if there is none.
struct file *find_file(struct disk *disk, const char *path);

/// Makes an empty file; NULL if there is no memory.
struct file *make_file(struct disk *disk, const char *path);

/// Takes a file off its disk; it lives on for those that have it open, who can do nothing with it any more.
void detach(struct file *file);

/// Makes room for a content of `size` bytes; false if there is no memory.
bool grow(struct file *file, int64_t size);

/// Gives a file back; it goes if it was deleted and nobody has it open.
void disk_release(struct file *file);

/// Removes a path.
void disk_delete(const char *path);

/// Whether anything can be written where a path lies.
bool disk_works(const char *path);

int file_read(struct file *file, void *buffer, int count, int64_t offset);
int file_write(struct file *file, const void *buffer, int count, int64_t offset);
int file_truncate(struct file *file, int64_t size);
int file_synchronize(struct file *file);

#endif
