// SPDX-License-Identifier: Apache-2.0
#ifndef MINGLE_WEB_ASSETS_H
#define MINGLE_WEB_ASSETS_H
#include <stddef.h>

/// One file of the web app, embedded into the binary.
struct mingle_web_asset {
    /// Its path under `web`.
    const char *path;
    /// Its bytes.
    const unsigned char *bytes;
    /// How many there are.
    size_t count;
};

/// How many files there are.
size_t mingle_web_asset_count(void);
/// The file at `index`, which is less than the count.
struct mingle_web_asset mingle_web_asset_at(size_t index);
#endif
