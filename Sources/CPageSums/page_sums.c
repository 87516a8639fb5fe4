// SPDX-License-Identifier: Apache-2.0

#include "page_sums.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { smallest_page = 512, largest_page = 65536, header_length = 100, size_place = 16, reserved_place = 20 };

/// Pages of a file of which a connection remembers whether they fit: 8 GB of pages of 8 KiB, in 128 KiB at most.
enum { remembered_pages = 1 << 20, pages_in_word = 64 };

/// Numbers of the file controls that reach this layer's files; SQLite leaves those from 100 on to others.
enum { control_is_kept = 771001, control_ignore = 771002 };

/// A layer, and what lies beneath it.
struct layer {
    sqlite3_vfs vfs;
    sqlite3_vfs *beneath;
};

/// What is known of a database file.
enum state { unknown, without_sums, with_sums };

/// An open database; the file beneath follows it in memory.
struct summed {
    sqlite3_file base;
    enum state state;
    /// Bytes of a page, as the header says.
    int page_size;
    bool ignores;
    /// Whether it was empty when it was opened, and its first page is yet to be written.
    bool is_new;
    /// Whether a transaction that reads tells when it begins; nothing is remembered before one did.
    bool tells_beginning;
    /// Whether no other connection can have the file open.
    bool is_alone;
    /// Whether any page is remembered.
    bool remembers;
    /// A bit for each page that fitted its sum since the transaction began, and the number of words.
    uint64_t *fitting;
    size_t word_count;
};

static sqlite3_file *beneath(sqlite3_file *base) { return (sqlite3_file *)((struct summed *)base + 1); }

// MARK: - Sums

static uint64_t mixed(uint64_t sum, uint64_t word) {
    // Each step can be undone, so no change of a single word escapes.
    sum = (sum ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return sum ^ sum >> 32;
}

static int number_at(const uint8_t *page, int place) { return page[place] << 8 | page[place + 1]; }

/// Clears the bytes between the pointers to a page's cells and the cells (fileformat2.html, "B-tree Pages"): they mean
/// nothing, and may be cleared in the file while all else stays as it is.
static void clear_gap(uint8_t *page, int count, sqlite3_int64 offset) {
    int header = offset == 0 ? header_length : 0;
    int kind = page[header];
    if (kind != 2 && kind != 5 && kind != 10 && kind != 13) return;
    int start = header + (kind < 10 ? 12 : 8) + 2 * number_at(page, header + 3);
    int end = number_at(page, header + 5);
    if (end == 0) end = largest_page;
    if (start <= end && end <= count - PAGE_SUM_LENGTH) memset(page + start, 0, (size_t)(end - start));
}

/// The sum of a page and its place in the file, so that a page written to the wrong place is noticed, too.
static uint64_t sum_of(const uint8_t *page, int count, sqlite3_int64 offset) {
    uint8_t content[largest_page];
    memcpy(content, page, (size_t)count);
    clear_gap(content, count, offset);
    uint64_t lanes[4] = {(uint64_t)offset + 1, (uint64_t)count, 3, 4};
    size_t words = ((size_t)count - PAGE_SUM_LENGTH) / 8;
    for (size_t index = 0; index < words; index++) {
        uint64_t word;
        memcpy(&word, content + index * 8, 8);
        lanes[index & 3] = mixed(lanes[index & 3], word);
    }
    uint64_t sum = lanes[0];
    for (size_t lane = 1; lane < 4; lane++) sum = mixed(sum, lanes[lane]);
    return sum;
}

static bool fits(const uint8_t *page, int count, sqlite3_int64 offset) {
    uint64_t sum = sum_of(page, count, offset);
    return memcmp(page + count - PAGE_SUM_LENGTH, &sum, sizeof sum) == 0;
}

static bool is_page(int count, sqlite3_int64 offset) {
    return count >= smallest_page && count <= largest_page && (count & (count - 1)) == 0 && offset % count == 0;
}

/// Whether a first page had sums before the byte that says so was altered.
static bool has_lost_mark(const uint8_t *page, int count) {
    uint8_t copy[largest_page];
    memcpy(copy, page, (size_t)count);
    copy[reserved_place] = PAGE_SUM_LENGTH;
    return fits(copy, count, 0);
}

/// Forgets all pages: what is read in another transaction is summed again.
static void forget(struct summed *file) {
    if (file->remembers) memset(file->fitting, 0, file->word_count * sizeof *file->fitting);
    file->remembers = false;
}

static void take_header(struct summed *file, const uint8_t *header) {
    file->state = header[reserved_place] == PAGE_SUM_LENGTH ? with_sums : without_sums;
    int size = number_at(header, size_place);
    // The largest does not fit into two bytes.
    if (size == 1) size = largest_page;
    if (size != file->page_size) forget(file);
    file->page_size = size;
}

/// Puts right what never changes in the header of a database that is read to be saved: with other bytes there SQLite
/// would take it for no database, or for one without a log, and not look at what stands in that.
static void restore_header(uint8_t *header) {
    memcpy(header, "SQLite format 3", 16);
    header[18] = header[19] = 2;
}

// MARK: - What fitted

/// The place of a page's word; past all words where it is not remembered.
static size_t word_of(const struct summed *file, sqlite3_int64 offset) {
    return (size_t)(offset / file->page_size / pages_in_word);
}

static uint64_t bit_of(const struct summed *file, sqlite3_int64 offset) {
    return UINT64_C(1) << offset / file->page_size % pages_in_word;
}

static bool has_fitted(const struct summed *file, sqlite3_int64 offset) {
    size_t word = word_of(file, offset);
    return file->remembers && word < file->word_count && file->fitting[word] & bit_of(file, offset);
}

/// Makes room for a page's word; without memory there is none, and the page is summed each time.
static bool has_room(struct summed *file, size_t word) {
    if (word < file->word_count) return true;
    if (word >= remembered_pages / pages_in_word) return false;
    size_t count = file->word_count ? file->word_count : 4;
    while (count <= word) count *= 2;
    uint64_t *words = realloc(file->fitting, count * sizeof *words);
    if (!words) return false;
    memset(words + file->word_count, 0, (count - file->word_count) * sizeof *words);
    file->fitting = words;
    file->word_count = count;
    return true;
}

static void note_fitting(struct summed *file, sqlite3_int64 offset) {
    if (!file->tells_beginning || !has_room(file, word_of(file, offset))) return;
    file->fitting[word_of(file, offset)] |= bit_of(file, offset);
    file->remembers = true;
}

/// Sums a page unless it fitted in this transaction.
static int check(struct summed *file, const uint8_t *page, int count, sqlite3_int64 offset) {
    if (has_fitted(file, offset)) return SQLITE_OK;
    if (!fits(page, count, offset)) return SQLITE_IOERR_DATA;
    note_fitting(file, offset);
    return SQLITE_OK;
}

// MARK: - Reading and writing

/// Checks the page that part of was read; later versions of SQLite read rows that are longer than a page without the ends of
/// their pages. The first page's beginning is read before anybody knows its length, and the page itself afterwards.
static int part_fits(struct summed *file, int count, sqlite3_int64 offset) {
    int size = file->page_size;
    if (file->state != with_sums || !is_page(size, 0) || offset < size) return SQLITE_OK;
    uint8_t page[largest_page];
    sqlite3_int64 start = offset - offset % size;
    if (offset + count > start + size) return SQLITE_IOERR_DATA;
    if (has_fitted(file, start)) return SQLITE_OK;
    int result = beneath(&file->base)->pMethods->xRead(beneath(&file->base), page, size, start);
    if (result != SQLITE_OK) return result;
    return check(file, page, size, start);
}

static int sums_read(sqlite3_file *base, void *buffer, int count, sqlite3_int64 offset) {
    struct summed *file = (struct summed *)base;
    int result = beneath(base)->pMethods->xRead(beneath(base), buffer, count, offset);
    if (result != SQLITE_OK) return result;
    if (offset == 0 && count >= header_length) take_header(file, buffer);
    if (file->ignores && offset == 0 && count >= header_length) restore_header(buffer);
    if (file->ignores) return SQLITE_OK;
    // Later than the first page, which says how long they are, only what is as long as that is one.
    bool is_part = offset > 0 && file->state == with_sums && count != file->page_size;
    if (is_part || !is_page(count, offset)) return part_fits(file, count, offset);
    if (file->state == with_sums && count == file->page_size) return check(file, buffer, count, offset);
    if (file->state == with_sums) return fits(buffer, count, offset) ? SQLITE_OK : SQLITE_IOERR_DATA;
    return offset == 0 && has_lost_mark(buffer, count) ? SQLITE_IOERR_DATA : SQLITE_OK;
}

/// Looks whether the file has got sums since it was opened, as VACUUM gives them to it.
static void look_again(sqlite3_file *base) {
    uint8_t header[header_length];
    if (beneath(base)->pMethods->xRead(beneath(base), header, sizeof header, 0) != SQLITE_OK) return;
    take_header((struct summed *)base, header);
}

/// Gives their sums to the pages that a new file got before its first one said that it has any: where a transaction is larger
/// than the cache, as those of VACUUM INTO are, SQLite writes some of it ahead and the first page last.
static int sum_earlier_pages(sqlite3_file *below, int page_size) {
    sqlite3_int64 size = 0;
    int result = below->pMethods->xFileSize(below, &size);
    uint8_t page[largest_page];
    for (sqlite3_int64 offset = page_size; result == SQLITE_OK && offset + page_size <= size; offset += page_size) {
        result = below->pMethods->xRead(below, page, page_size, offset);
        if (result != SQLITE_OK) break;
        uint64_t sum = sum_of(page, page_size, offset);
        memcpy(page + page_size - PAGE_SUM_LENGTH, &sum, sizeof sum);
        result = below->pMethods->xWrite(below, page, page_size, offset);
    }
    return result;
}

static int sums_write(sqlite3_file *base, const void *buffer, int count, sqlite3_int64 offset) {
    struct summed *file = (struct summed *)base;
    sqlite3_file *below = beneath(base);
    forget(file);
    if (offset == 0 && count >= header_length) {
        bool is_first = file->is_new;
        file->is_new = false;
        take_header(file, buffer);
        if (is_first && file->state == with_sums && is_page(file->page_size, 0)) {
            int result = sum_earlier_pages(below, file->page_size);
            if (result != SQLITE_OK) return result;
        }
    } else if (file->state != with_sums) {
        look_again(base);
    }
    // A gap that is cleared may be as long as some page could be, but not as long as one of these.
    if (file->state != with_sums || count != file->page_size || !is_page(count, offset)) {
        return below->pMethods->xWrite(below, buffer, count, offset);
    }
    uint8_t page[largest_page];
    memcpy(page, buffer, (size_t)count);
    uint64_t sum = sum_of(page, count, offset);
    memcpy(page + count - PAGE_SUM_LENGTH, &sum, sizeof sum);
    return below->pMethods->xWrite(below, page, count, offset);
}

static int sums_control(sqlite3_file *base, int operation, void *argument) {
    struct summed *file = (struct summed *)base;
    switch (operation) {
    case control_is_kept:
        look_again(base);
        *(bool *)argument = file->state == with_sums;
        return SQLITE_OK;
    case control_ignore:
        file->ignores = true;
        // There may be another such layer beneath, which does not know this one.
        beneath(base)->pMethods->xFileControl(beneath(base), operation, argument);
        return SQLITE_OK;
    default:
        return beneath(base)->pMethods->xFileControl(beneath(base), operation, argument);
    }
}

// MARK: - What passes through

static int sums_close(sqlite3_file *base) {
    free(((struct summed *)base)->fitting);
    return beneath(base)->pMethods->xClose(beneath(base));
}

static int sums_truncate(sqlite3_file *base, sqlite3_int64 size) {
    return beneath(base)->pMethods->xTruncate(beneath(base), size);
}

static int sums_sync(sqlite3_file *base, int flags) { return beneath(base)->pMethods->xSync(beneath(base), flags); }

static int sums_size(sqlite3_file *base, sqlite3_int64 *size) {
    return beneath(base)->pMethods->xFileSize(beneath(base), size);
}

/// A connection that has its file alone takes no more locks that tell when a transaction begins: it sums each page again.
static int sums_lock(sqlite3_file *base, int level) {
    struct summed *file = (struct summed *)base;
    if (level == SQLITE_LOCK_EXCLUSIVE) {
        forget(file);
        file->is_alone = true;
        file->tells_beginning = false;
    }
    return beneath(base)->pMethods->xLock(beneath(base), level);
}

static int sums_unlock(sqlite3_file *base, int level) { return beneath(base)->pMethods->xUnlock(beneath(base), level); }

static int sums_check_reserved(sqlite3_file *base, int *result) {
    return beneath(base)->pMethods->xCheckReservedLock(beneath(base), result);
}

static int sums_sector_size(sqlite3_file *base) { return beneath(base)->pMethods->xSectorSize(beneath(base)); }

static int sums_characteristics(sqlite3_file *base) {
    return beneath(base)->pMethods->xDeviceCharacteristics(beneath(base));
}

static int sums_index_map(sqlite3_file *base, int region, int size, int extends, void volatile **result) {
    return beneath(base)->pMethods->xShmMap(beneath(base), region, size, extends, result);
}

/// Every transaction that reads a database with a log takes one of these locks for itself and others.
static int sums_index_lock(sqlite3_file *base, int first, int count, int flags) {
    struct summed *file = (struct summed *)base;
    if (flags == (SQLITE_SHM_LOCK | SQLITE_SHM_SHARED)) {
        forget(file);
        file->tells_beginning = !file->is_alone;
    }
    return beneath(base)->pMethods->xShmLock(beneath(base), first, count, flags);
}

static void sums_index_barrier(sqlite3_file *base) { beneath(base)->pMethods->xShmBarrier(beneath(base)); }

static int sums_index_unmap(sqlite3_file *base, int deletes) {
    return beneath(base)->pMethods->xShmUnmap(beneath(base), deletes);
}

/// Without the methods of version 3: nothing is read past this layer by mapping a file into memory.
static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = sums_close,
    .xRead = sums_read,
    .xWrite = sums_write,
    .xTruncate = sums_truncate,
    .xSync = sums_sync,
    .xFileSize = sums_size,
    .xLock = sums_lock,
    .xUnlock = sums_unlock,
    .xCheckReservedLock = sums_check_reserved,
    .xFileControl = sums_control,
    .xSectorSize = sums_sector_size,
    .xDeviceCharacteristics = sums_characteristics,
    .xShmMap = sums_index_map,
    .xShmLock = sums_index_lock,
    .xShmBarrier = sums_index_barrier,
    .xShmUnmap = sums_index_unmap,
};

// MARK: - The layer

static int sums_open(sqlite3_vfs *vfs, sqlite3_filename path, sqlite3_file *base, int flags, int *result) {
    sqlite3_vfs *below = ((struct layer *)vfs)->beneath;
    if (!(flags & SQLITE_OPEN_MAIN_DB)) return below->xOpen(below, path, base, flags, result);
    memset(base, 0, sizeof(struct summed));
    int code = below->xOpen(below, path, beneath(base), flags, result);
    if (code == SQLITE_OK) {
        sqlite3_int64 size = 0;
        ((struct summed *)base)->is_new = beneath(base)->pMethods->xFileSize(beneath(base), &size) == SQLITE_OK && size == 0;
        base->pMethods = &methods;
    } else if (beneath(base)->pMethods) {
        // SQLite closes a file that could not be opened only if it has methods, which then are the layer's to call.
        beneath(base)->pMethods->xClose(beneath(base));
    }
    return code;
}

static pthread_mutex_t installing = PTHREAD_MUTEX_INITIALIZER;

bool page_sums_install(void) {
    pthread_mutex_lock(&installing);
    sqlite3_vfs *below = sqlite3_vfs_find(NULL);
    bool is_there = below && below->xOpen == sums_open;
    struct layer *layer = is_there || !below ? NULL : calloc(1, sizeof *layer);
    if (layer) {
        // What is not about opening files stays as it was.
        layer->vfs = *below;
        layer->beneath = below;
        layer->vfs.pNext = NULL;
        layer->vfs.zName = "page-sums";
        layer->vfs.szOsFile = below->szOsFile + (int)sizeof(struct summed);
        layer->vfs.xOpen = sums_open;
        is_there = sqlite3_vfs_register(&layer->vfs, 1) == SQLITE_OK;
    }
    pthread_mutex_unlock(&installing);
    return is_there;
}

void page_sums_request(sqlite3 *database) {
    int count = PAGE_SUM_LENGTH;
    sqlite3_file_control(database, "main", SQLITE_FCNTL_RESERVE_BYTES, &count);
}

bool page_sums_are_kept(sqlite3 *database) {
    bool are_kept = false;
    return sqlite3_file_control(database, "main", control_is_kept, &are_kept) == SQLITE_OK && are_kept;
}

void page_sums_ignore(sqlite3 *database) {
    sqlite3_file_control(database, "main", control_ignore, NULL);
}
