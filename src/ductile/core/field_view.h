// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/core/math.h>
#include <ductile/core/result.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace ductile {

// A struct with a field list (core/field.h) seen at run time: what scene files, schema, overrides,
// and later sliders and Python walk over, so that each of them is written once and not per struct.
//
// A view points into the value it was made from: it is good while that value stays where it is.
// Appending to a container makes views of that container's items stale.

struct EnumView;
struct TextView;
struct StructView;
struct ContainerView;

/// Any value that a field may hold.
using ValueView =
    std::variant<double*, std::int32_t*, std::int64_t*, std::uint64_t*, bool*, std::string*, Vec3*,
                 Quat*, EnumView, TextView, StructView, ContainerView>;

/// An enum whose enumerators are 0, 1, 2 ... and are named, in that order, by a function
/// `std::span<const std::string_view> enum_names(E)` found by argument-dependent lookup.
struct EnumView {
    std::span<const std::string_view> names;
    void* value;
    std::int64_t (*index_of)(const void* value);
    void (*assign)(void* value, std::int64_t index);

    std::int64_t index() const { return index_of(value); }
    void set(std::int64_t index) const { assign(value, index); }
};

/// A value that stands as one text in a file, with, found by argument-dependent lookup, functions
/// `std::string to_text(const T&)` and `Status from_text(std::string_view, T&)`, the latter's
/// inverse. A text that is refused leaves the value as it was.
struct TextView {
    void* value;
    std::string (*written)(const void* value);
    Status (*assign)(void* value, std::string_view text);

    std::string text() const { return written(value); }
    Status set(std::string_view text) const { return assign(value, text); }
};

struct FieldView;

/// A struct with `visit_fields`, in the order of its list.
struct StructView {
    std::vector<FieldView> fields;
};

enum class ContainerKind {
    Optional,  ///< std::optional: no item, or one.
    Array,     ///< std::vector: a JSON array.
    Keyed,     ///< std::vector of structs with `key_of`: a JSON object, in the vector's order.
    Fixed,     ///< std::array: a JSON array of one length.
};

/// A std::optional, std::vector or std::array of any other value.
///
/// A vector is Keyed if its struct has, found by argument-dependent lookup, a function
/// `std::string& key_of(T&)`: the name under which an item stands. The name is then no field.
struct ContainerView {
    struct Operations {
        ContainerKind kind;
        std::size_t (*size)(const void* container);
        ValueView (*item)(void* container, std::size_t index);
        void (*append)(void* container);  ///< One item with its defaults.
        void (*clear)(void* container);
        std::string* (*key)(void* container, std::size_t index);  ///< Null unless Keyed.
        std::shared_ptr<void> (
            *make_item)();  ///< One that lies in no container, with its defaults.
        ValueView (*view_item)(void* made);
    };
    void* container;
    const Operations* operations;

    ContainerKind kind() const { return operations->kind; }
    std::size_t size() const { return operations->size(container); }
    ValueView item(std::size_t i) const;
    std::string* key(std::size_t i) const { return operations->key(container, i); }
    void append() const { operations->append(container); }
    void clear() const { operations->clear(container); }
};

/// One field of a struct: what is said about it, and its value.
struct FieldView {
    Field field;
    ValueView value;
};

inline ValueView ContainerView::item(std::size_t i) const { return operations->item(container, i); }

template <class T>
ValueView view_of(T& value);

namespace field_view_detail {

struct IgnoreField {
    template <class T>
    void operator()(const Field&, T&) const {}
};

template <class T>
concept HasFields = requires(T& value) {
    visit_fields(value, IgnoreField{});
};

template <class T>
concept HasText = requires(T& value, std::string_view text) {
    { to_text(value) } -> std::same_as<std::string>;
    { from_text(text, value) } -> std::same_as<Status>;
};

template <class T>
concept HasKey = requires(T& value) {
    { key_of(value) } -> std::same_as<std::string&>;
};

template <class T>
struct ContainerTraits : std::false_type {};

template <class T>
struct ContainerTraits<std::optional<T>> : std::true_type {
    using Item = T;
    static constexpr ContainerKind kind = ContainerKind::Optional;
    static std::size_t size(const std::optional<T>& c) { return c ? 1 : 0; }
    static T& item(std::optional<T>& c, std::size_t) { return *c; }
    static void append(std::optional<T>& c) { c.emplace(); }
    static void clear(std::optional<T>& c) { c.reset(); }
};

template <class T>
struct ContainerTraits<std::vector<T>> : std::true_type {
    using Item = T;
    static constexpr ContainerKind kind = HasKey<T> ? ContainerKind::Keyed : ContainerKind::Array;
    static std::size_t size(const std::vector<T>& c) { return c.size(); }
    static T& item(std::vector<T>& c, std::size_t i) { return c[i]; }
    static void append(std::vector<T>& c) { c.emplace_back(); }
    static void clear(std::vector<T>& c) { c.clear(); }
};

template <class T, std::size_t N>
struct ContainerTraits<std::array<T, N>> : std::true_type {
    using Item = T;
    static constexpr ContainerKind kind = ContainerKind::Fixed;
    static std::size_t size(const std::array<T, N>&) { return N; }
    static T& item(std::array<T, N>& c, std::size_t i) { return c[i]; }
    static void append(std::array<T, N>&) {}
    static void clear(std::array<T, N>&) {}
};

template <class C>
const ContainerView::Operations& container_operations() {
    using Traits = ContainerTraits<C>;
    using Item = typename Traits::Item;
    static constexpr ContainerView::Operations operations = {
        Traits::kind,
        [](const void* c) { return Traits::size(*static_cast<const C*>(c)); },
        [](void* c, std::size_t i) { return view_of(Traits::item(*static_cast<C*>(c), i)); },
        [](void* c) { Traits::append(*static_cast<C*>(c)); },
        [](void* c) { Traits::clear(*static_cast<C*>(c)); },
        [](void* c, std::size_t i) -> std::string* {
            if constexpr (Traits::kind == ContainerKind::Keyed) {
                return &key_of(Traits::item(*static_cast<C*>(c), i));
            } else {
                (void)c, (void)i;
                return nullptr;
            }
        },
        [] { return std::static_pointer_cast<void>(std::make_shared<Item>()); },
        [](void* made) { return view_of(*static_cast<Item*>(made)); },
    };
    return operations;
}

template <class E>
EnumView enum_view(E& value) {
    return {enum_names(E{}), &value,
            [](const void* v) { return static_cast<std::int64_t>(*static_cast<const E*>(v)); },
            [](void* v, std::int64_t index) { *static_cast<E*>(v) = static_cast<E>(index); }};
}

template <class T>
TextView text_view(T& value) {
    return {&value, [](const void* v) { return to_text(*static_cast<const T*>(v)); },
            [](void* v, std::string_view text) { return from_text(text, *static_cast<T*>(v)); }};
}

/// Where many sources read or write a struct whose list is long, its header declares this
/// instantiation `extern`, and one source makes it: lists take seconds to compile.
template <class T>
StructView struct_view(T& value) {
    StructView view;
    visit_fields(value, [&](const Field& field, auto& member) {
        view.fields.push_back({field, view_of(member)});
    });
    return view;
}

}  // namespace field_view_detail

/// The view of a value whose type core/field.h lists, or of an optional or array of such.
/// A type that is none of these does not compile.
template <class T>
ValueView view_of(T& value) {
    namespace detail = field_view_detail;
    if constexpr (std::is_enum_v<T>) {
        return detail::enum_view(value);
    } else if constexpr (detail::ContainerTraits<T>::value) {
        return ContainerView{&value, &detail::container_operations<T>()};
    } else if constexpr (detail::HasText<T>) {
        return detail::text_view(value);
    } else if constexpr (detail::HasFields<T>) {
        return detail::struct_view(value);
    } else {
        return &value;
    }
}

}  // namespace ductile
