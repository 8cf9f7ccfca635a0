// SPDX-License-Identifier: MIT
#include <ductile/deform/dent/dent_options.h>
#include <ductile/deform/press/press_setup.h>

#include <doctest/doctest.h>
#include <support/field_laws.h>

using namespace ductile;

TEST_CASE("press and dent options keep the law of field lists") {
    test::check_field_list<PressOptions>();
    test::check_field_list<DentOptions>();
    test::check_field_list<DentShapeOptions>();
}
