// SPDX-License-Identifier: MIT
#include <ductile/core/json_fields.h>
