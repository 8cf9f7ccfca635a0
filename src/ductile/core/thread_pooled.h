// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <utility>
#include <vector>

namespace ductile {

/// Something large that a thread keeps for whoever needs the like next, as the last user left it:
/// mapping and clearing fresh memory would cost more than what it is used for. What is lent twice
/// at once is two objects. A thread keeps as many as it had lent at once, until it ends.
///
/// Nothing that is computed may depend on what was left in it.
template <class T>
class ThreadPooled {
public:
    ThreadPooled() {
        if (is_shelf_gone() || shelf().kept.empty()) {
            object_ = std::make_unique<T>();
            return;
        }
        object_ = std::move(shelf().kept.back());
        shelf().kept.pop_back();
    }
    ThreadPooled(ThreadPooled&&) noexcept = default;
    ThreadPooled& operator=(ThreadPooled&& other) noexcept {
        give_back();
        object_ = std::move(other.object_);
        return *this;
    }
    ~ThreadPooled() { give_back(); }

    T& operator*() const { return *object_; }
    T* operator->() const { return object_.get(); }

private:
    struct Shelf {
        ~Shelf() { is_shelf_gone() = true; }
        std::vector<std::unique_ptr<T>> kept;
    };
    static Shelf& shelf() {
        thread_local Shelf own;
        return own;
    }
    /// Outlives the shelf: what is given back at a thread's end is freed.
    static bool& is_shelf_gone() {
        thread_local bool is_gone = false;
        return is_gone;
    }
    void give_back() noexcept {
        if (object_ && !is_shelf_gone()) shelf().kept.push_back(std::move(object_));
    }

    std::unique_ptr<T> object_;
};

}  // namespace ductile
