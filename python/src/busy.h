// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <stdexcept>

namespace ductile::python {

/// Marks an object that is at work without the GIL, so that another thread, or a signal's handler,
/// gets an exception instead of a race.
class Busy {
public:
    /// Claims the object while it lives. Throws (RuntimeError) if it is claimed already.
    class Claim {
    public:
        explicit Claim(Busy& busy) : busy_(busy) {
            if (busy_.is_busy_.exchange(true)) {
                throw std::runtime_error("this object is at work, in another thread or below");
            }
        }
        ~Claim() { busy_.is_busy_ = false; }
        Claim(const Claim&) = delete;
        Claim& operator=(const Claim&) = delete;

    private:
        Busy& busy_;
    };

    /// Who holds the GIL and is told no may look at the object until it lets the GIL go.
    bool is_busy() const { return is_busy_; }

private:
    std::atomic<bool> is_busy_ = false;
};

/// Runs work without the GIL and gives back what it returns.
template <class Work>
auto without_gil(Work&& work) {
    const pybind11::gil_scoped_release released;
    return work();
}

/// Asks now and then whether Ctrl-C was pressed, for loops that run without the GIL.
class SignalWatch {
public:
    /// True if a signal's handler raised: the loop must end, and `throw error_already_set` follow.
    bool has_raised() {
        const auto now = std::chrono::steady_clock::now();
        if (now - last_ < std::chrono::milliseconds(20)) return false;  // the GIL costs little so
        last_ = now;
        const pybind11::gil_scoped_acquire held;
        return PyErr_CheckSignals() != 0;
    }

private:
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace ductile::python
