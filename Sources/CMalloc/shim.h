// SPDX-License-Identifier: Apache-2.0

// What the C library says of its heap, which the module Glibc leaves out.
#include <malloc.h>
