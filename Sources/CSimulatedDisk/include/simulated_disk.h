// SPDX-License-Identifier: Apache-2.0

// Disks in memory for SQLite, which fail as real ones do: writes that were not synchronized are lost, reverted or torn by
// a power cut, room runs out. Everything is decided by the caller's seed.
//
// A disk is named by the beginning of its files' paths, "/simulated/…/". One disk belongs to one thread at a time.

#ifndef MINGLE_SIMULATED_DISK_H
#define MINGLE_SIMULATED_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What paths of simulated files begin with.
#define SIMULATED_DISK_ROOT "/simulated/"

/// Makes SQLite open files under SIMULATED_DISK_ROOT here; all others go where they went before. Once is enough.
bool simulated_disk_install(void);

/// Makes an empty disk for the files whose paths begin with `prefix`; false if there is no memory.
bool simulated_disk_add(const char *prefix);

/// Forgets a disk and its files; those that are open live until they are closed.
void simulated_disk_remove(const char *prefix);

/// Ends all open files of a disk, as when the program is killed: what they do from now on reaches the disk no more.
///
/// If `power_is_cut`, each sector that was not synchronized may be lost, kept or torn, as the seed has it.
void simulated_disk_crash(const char *prefix, bool power_is_cut, uint64_t seed);

/// Lets the power be cut after so many further writes and synchronizations, in the midst of whatever goes on then;
/// negative for never. From then on everything fails until simulated_disk_crash.
void simulated_disk_fail_after(const char *prefix, int64_t operations);

/// Whether the power was cut by simulated_disk_fail_after.
bool simulated_disk_has_failed(const char *prefix);

/// Bytes that files may take together; negative for any number. What would need more gets SQLITE_FULL.
void simulated_disk_limit(const char *prefix, int64_t bytes);

/// Bytes that files take together.
int64_t simulated_disk_size(const char *prefix);

/// Makes `to`, which must be a disk, hold what `from` holds, as a copied folder does: false if there is no memory.
bool simulated_disk_copy(const char *from, const char *to);

/// Flips bits of a file that nobody has open, where the seed has it; false if there is no such file or nothing in it.
bool simulated_disk_flip(const char *path, int count, uint64_t seed);

/// Collects the decimal numbers that stand between `mark` and a semicolon in any file of a disk, at most `limit`, and 0 for
/// a mark without one; returns how many these are.
size_t simulated_disk_numbers(const char *prefix, const uint8_t *mark, size_t count, uint64_t *numbers, size_t limit);

/// The content of one of a disk's files, by its place among them; NULL beyond the last.
const uint8_t *simulated_disk_file(const char *prefix, size_t place, size_t *count);

/// Whether `part` stands anywhere in `bytes`.
bool simulated_disk_contains(const void *bytes, size_t count, const void *part, size_t part_count);

#endif
