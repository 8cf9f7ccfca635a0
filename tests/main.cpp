// SPDX-License-Identifier: MIT
// The main of every test program. Beside doctest's own work it knows skipped cases, and fails when
// a case ends without having asserted anything: such a case would pass whatever the code does.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
#include <support/skip.h>

#include <cstdio>

namespace ductile::test {

namespace {

bool is_skipped = false;  // The running case; cases run one after the other.
int silent_cases = 0;

struct AssertionWatch : doctest::IReporter {
    explicit AssertionWatch(const doctest::ContextOptions&) {}
    void report_query(const doctest::QueryData&) override {}
    void test_run_start() override {}
    void test_run_end(const doctest::TestRunStats&) override {}
    void test_case_start(const doctest::TestCaseData& test) override {
        name = test.m_name;
        is_skipped = false;
    }
    void test_case_reenter(const doctest::TestCaseData&) override {}
    void test_case_end(const doctest::CurrentTestCaseStats& stats) override {
        if (is_skipped || stats.numAssertsCurrentTest > 0 || stats.failure_flags != 0) return;
        ++silent_cases;
        std::printf("[silent] %s: asserts nothing, nor says that it is skipped\n", name);
    }
    void test_case_exception(const doctest::TestCaseException&) override {}
    void subcase_start(const doctest::SubcaseSignature&) override {}
    void subcase_end() override {}
    void log_assert(const doctest::AssertData&) override {}
    void log_message(const doctest::MessageData&) override {}
    void test_case_skipped(const doctest::TestCaseData&) override {}

    const char* name = "";
};
REGISTER_LISTENER("assertion_watch", 1, AssertionWatch);

}  // namespace

void skip_case(const std::string& reason) {
    if (is_skipped) return;
    is_skipped = true;
    std::printf("[skipped] %s: %s\n", doctest::getContextOptions()->currentTest->m_name,
                reason.c_str());
    std::fflush(stdout);
}

std::filesystem::path real_file(const std::string& name) {
    return std::filesystem::path(DUCTILE_SOURCE_DIR) / ".." / "shared" / name;
}

bool has_real_file(const std::string& name) {
    std::error_code ec;
    if (std::filesystem::exists(real_file(name), ec)) return true;
    skip_case("needs ../shared/" + name + ", which is not beside the checkout");
    return false;
}

}  // namespace ductile::test

int main(int argc, char** argv) {
    doctest::Context context(argc, argv);
    const int status = context.run();
    if (status != 0 || context.shouldExit()) return status;
    return ductile::test::silent_cases > 0 ? 1 : 0;
}
