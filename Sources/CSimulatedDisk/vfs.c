// SPDX-License-Identifier: Apache-2.0

// SQLite's view of the disks (https://www.sqlite.org/vfs.html): files, their locks, and the shared index of a write-ahead
// log. All connections to a file are of one process and one thread.

#define _GNU_SOURCE
#include "disk.h"
#include "simulated_disk.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/// One connection's file.
struct handle {
    sqlite3_file base;
    struct file *file;
    int level;
    bool deletes_on_close;
    bool uses_index;
    unsigned shared_locks_held, exclusive_locks_held;
};

static sqlite3_vfs *beneath;

// MARK: - Reading and writing

static int sim_read(sqlite3_file *base, void *buffer, int count, sqlite3_int64 offset) {
    return file_read(((struct handle *)base)->file, buffer, count, offset);
}

static int sim_write(sqlite3_file *base, const void *buffer, int count, sqlite3_int64 offset) {
    return file_write(((struct handle *)base)->file, buffer, count, offset);
}

static int sim_truncate(sqlite3_file *base, sqlite3_int64 size) {
    return file_truncate(((struct handle *)base)->file, size);
}

static int sim_sync(sqlite3_file *base, int flags) {
    (void)flags;
    return file_synchronize(((struct handle *)base)->file);
}

static int sim_size(sqlite3_file *base, sqlite3_int64 *size) {
    struct file *file = ((struct handle *)base)->file;
    if (!file->disk || file->disk->has_failed) return SQLITE_IOERR_FSTAT;
    *size = file->size;
    return SQLITE_OK;
}

// MARK: - Locks of the file

static int sim_unlock(sqlite3_file *base, int level) {
    struct handle *handle = (struct handle *)base;
    struct file *file = handle->file;
    if (handle->level <= level) return SQLITE_OK;
    if (handle->level >= SQLITE_LOCK_EXCLUSIVE) file->is_exclusive = false;
    if (handle->level >= SQLITE_LOCK_PENDING) file->is_pending = false;
    if (handle->level >= SQLITE_LOCK_RESERVED && level < SQLITE_LOCK_RESERVED) file->is_reserved = false;
    if (level == SQLITE_LOCK_NONE) file->shared -= 1;
    handle->level = level;
    return SQLITE_OK;
}

static int sim_lock(sqlite3_file *base, int level) {
    struct handle *handle = (struct handle *)base;
    struct file *file = handle->file;
    if (handle->level >= level) return SQLITE_OK;
    if (handle->level == SQLITE_LOCK_NONE) {
        if (file->is_pending || file->is_exclusive) return SQLITE_BUSY;
        file->shared += 1;
        handle->level = SQLITE_LOCK_SHARED;
    }
    if (level >= SQLITE_LOCK_RESERVED && handle->level < SQLITE_LOCK_RESERVED) {
        if (file->is_reserved) return SQLITE_BUSY;
        file->is_reserved = true;
        handle->level = SQLITE_LOCK_RESERVED;
    }
    if (level < SQLITE_LOCK_EXCLUSIVE) return SQLITE_OK;
    file->is_pending = true;
    handle->level = SQLITE_LOCK_PENDING;
    if (file->shared > 1) return SQLITE_BUSY;
    file->is_exclusive = true;
    handle->level = SQLITE_LOCK_EXCLUSIVE;
    return SQLITE_OK;
}

static int sim_check_reserved(sqlite3_file *base, int *result) {
    *result = ((struct handle *)base)->file->is_reserved;
    return SQLITE_OK;
}

// MARK: - The index of the write-ahead log

static int sim_index_map(sqlite3_file *base, int region, int size, int extends, void volatile **result) {
    struct handle *handle = (struct handle *)base;
    struct file *file = handle->file;
    *result = NULL;
    handle->uses_index = true;
    if (region >= file->region_count) {
        if (!extends) return SQLITE_OK;
        uint8_t **regions = realloc(file->regions, (size_t)(region + 1) * sizeof *regions);
        if (!regions) return SQLITE_NOMEM;
        file->regions = regions;
        while (file->region_count <= region) {
            uint8_t *bytes = calloc(1, (size_t)size);
            if (!bytes) return SQLITE_NOMEM;
            file->regions[file->region_count++] = bytes;
        }
    }
    *result = file->regions[region];
    return SQLITE_OK;
}

static void release_index_locks(struct handle *handle, unsigned mask) {
    for (int lock = 0; lock < shared_locks; lock++) {
        if (!(mask >> lock & 1)) continue;
        if (handle->shared_locks_held >> lock & 1) handle->file->shared_users[lock] -= 1;
        if (handle->exclusive_locks_held >> lock & 1) handle->file->is_locked[lock] = false;
    }
    handle->shared_locks_held &= ~mask;
    handle->exclusive_locks_held &= ~mask;
}

static int sim_index_lock(sqlite3_file *base, int first, int count, int flags) {
    struct handle *handle = (struct handle *)base;
    struct file *file = handle->file;
    unsigned mask = ((1u << count) - 1) << first;
    if (flags & SQLITE_SHM_UNLOCK) {
        release_index_locks(handle, mask);
        return SQLITE_OK;
    }
    bool is_exclusive = flags & SQLITE_SHM_EXCLUSIVE;
    for (int lock = first; lock < first + count; lock++) {
        bool is_own = (handle->shared_locks_held | handle->exclusive_locks_held) >> lock & 1;
        if (is_own) continue;
        if (file->is_locked[lock] || (is_exclusive && file->shared_users[lock] > 0)) return SQLITE_BUSY;
    }
    for (int lock = first; lock < first + count; lock++) {
        if ((handle->shared_locks_held | handle->exclusive_locks_held) >> lock & 1) continue;
        if (is_exclusive) {
            file->is_locked[lock] = true;
            handle->exclusive_locks_held |= 1u << lock;
        } else {
            file->shared_users[lock] += 1;
            handle->shared_locks_held |= 1u << lock;
        }
    }
    return SQLITE_OK;
}

static void sim_index_barrier(sqlite3_file *base) { (void)base; }

static int sim_index_unmap(sqlite3_file *base, int deletes) {
    struct handle *handle = (struct handle *)base;
    struct file *file = handle->file;
    if (handle->uses_index) release_index_locks(handle, ~0u);
    handle->uses_index = false;
    if (!deletes) return SQLITE_OK;
    for (int region = 0; region < file->region_count; region++) free(file->regions[region]);
    free(file->regions);
    file->regions = NULL;
    file->region_count = 0;
    return SQLITE_OK;
}

// MARK: - Files

static int sim_control(sqlite3_file *base, int operation, void *argument) {
    struct handle *handle = (struct handle *)base;
    if (operation != SQLITE_FCNTL_HAS_MOVED) return SQLITE_NOTFOUND;
    // What a killed program had open is no more the file of that path, so its end must not delete that.
    *(int *)argument = handle->file->disk == NULL;
    return SQLITE_OK;
}

static int sim_sector_size(sqlite3_file *base) {
    (void)base;
    return sector_size;
}

static int sim_characteristics(sqlite3_file *base) {
    (void)base;
    return SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}

static int sim_close(sqlite3_file *base) {
    struct handle *handle = (struct handle *)base;
    sim_unlock(base, SQLITE_LOCK_NONE);
    sim_index_unmap(base, 0);
    if (handle->deletes_on_close && handle->file->disk) disk_delete(handle->file->path);
    disk_release(handle->file);
    return SQLITE_OK;
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = sim_close,
    .xRead = sim_read,
    .xWrite = sim_write,
    .xTruncate = sim_truncate,
    .xSync = sim_sync,
    .xFileSize = sim_size,
    .xLock = sim_lock,
    .xUnlock = sim_unlock,
    .xCheckReservedLock = sim_check_reserved,
    .xFileControl = sim_control,
    .xSectorSize = sim_sector_size,
    .xDeviceCharacteristics = sim_characteristics,
    .xShmMap = sim_index_map,
    .xShmLock = sim_index_lock,
    .xShmBarrier = sim_index_barrier,
    .xShmUnmap = sim_index_unmap,
};

static bool is_simulated(const char *path) {
    return path && strncmp(path, SIMULATED_DISK_ROOT, strlen(SIMULATED_DISK_ROOT)) == 0;
}

static int sim_open(sqlite3_vfs *vfs, sqlite3_filename path, sqlite3_file *base, int flags, int *result) {
    (void)vfs;
    if (!is_simulated(path)) return beneath->xOpen(beneath, path, base, flags, result);
    struct handle *handle = (struct handle *)base;
    memset(handle, 0, sizeof *handle);
    handle->file = disk_open(path, (flags & SQLITE_OPEN_CREATE) && disk_works(path));
    if (!handle->file) return SQLITE_CANTOPEN;
    handle->deletes_on_close = flags & SQLITE_OPEN_DELETEONCLOSE;
    handle->base.pMethods = &methods;
    if (result) *result = flags;
    return SQLITE_OK;
}

static int sim_delete(sqlite3_vfs *vfs, const char *path, int synchronizes) {
    (void)vfs;
    if (!is_simulated(path)) return beneath->xDelete(beneath, path, synchronizes);
    if (!disk_works(path)) return SQLITE_IOERR_DELETE;
    disk_delete(path);
    return SQLITE_OK;
}

static int sim_access(sqlite3_vfs *vfs, const char *path, int flags, int *result) {
    (void)vfs;
    if (!is_simulated(path)) return beneath->xAccess(beneath, path, flags, result);
    struct file *file = disk_open(path, false);
    *result = file && (flags != SQLITE_ACCESS_EXISTS || file->size > 0);
    if (file) disk_release(file);
    return SQLITE_OK;
}

static int sim_full_path(sqlite3_vfs *vfs, const char *path, int count, char *result) {
    (void)vfs;
    if (!is_simulated(path)) return beneath->xFullPathname(beneath, path, count, result);
    sqlite3_snprintf(count, result, "%s", path);
    return SQLITE_OK;
}

static sqlite3_vfs simulated;

static void install(void) {
    // Nobody asks how much memory SQLite takes, and to count it costs as much as to allocate it. It has no effect where
    // SQLite has begun to work already.
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    beneath = sqlite3_vfs_find(NULL);
    if (!beneath) return;
    // What is not about files stays as it was.
    simulated = *beneath;
    simulated.pNext = NULL;
    simulated.zName = "simulated";
    if (simulated.szOsFile < (int)sizeof(struct handle)) simulated.szOsFile = sizeof(struct handle);
    simulated.xOpen = sim_open;
    simulated.xDelete = sim_delete;
    simulated.xAccess = sim_access;
    simulated.xFullPathname = sim_full_path;
    sqlite3_vfs_register(&simulated, 1);
}

bool simulated_disk_install(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
    return beneath != NULL;
}
