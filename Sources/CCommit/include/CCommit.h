// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The commit that the program was built from, "-modified" behind it if files had changed; empty if unknown.
const char *mingle_commit(void);
