#pragma once

// The system's zlib (RFC 1950, 1951).
#include <zlib.h>
