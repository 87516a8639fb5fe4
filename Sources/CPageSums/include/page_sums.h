// SPDX-License-Identifier: Apache-2.0

// Checksums of SQLite's pages: what was altered on the disk is noticed when a transaction reads it, and never taken for
// what was written. Within one transaction a page is summed once, however often SQLite reads it.
//
// Left out is what lies between the pointers to a page's cells and the cells, which means nothing.
//
// A layer above SQLite's files (https://www.sqlite.org/vfs.html). Databases made with 8 reserved bytes a page have their
// sum in these; all other files pass through as they are. What other programs write into such a database has no sums.

#ifndef MINGLE_PAGE_SUMS_H
#define MINGLE_PAGE_SUMS_H

#include <stdbool.h>
#include <sqlite3.h>

/// Bytes of a page that its sum takes, and that SQLite has to be told to leave free.
#define PAGE_SUM_LENGTH 8

/// Puts the layer above the files that SQLite uses by default, unless it is the topmost already; false if there is no
/// memory. May be called again once another layer was added.
bool page_sums_install(void);

/// Asks for sums in a database that is about to be made, or written anew by VACUUM.
void page_sums_request(sqlite3 *database);

/// Whether the database on a connection has sums.
bool page_sums_are_kept(sqlite3 *database);

/// Lets a connection read pages that do not fit their sums, to save what can be saved of a database with a write-ahead log.
void page_sums_ignore(sqlite3 *database);

#endif
