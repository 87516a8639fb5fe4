// SPDX-License-Identifier: Apache-2.0
#include "CCommit.h"

// Package.swift defines it, so that a new commit compiles this file alone.
#ifndef MINGLE_COMMIT
#define MINGLE_COMMIT ""
#endif

const char *mingle_commit(void) { return MINGLE_COMMIT; }
