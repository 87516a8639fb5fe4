// SPDX-License-Identifier: Apache-2.0

/// Keeps a large value apart, so that copying what it is part of takes one step; it is copied itself when one of two
/// that share it is changed.
@propertyWrapper
struct Apart<Value: Sendable>: Sendable {
    /// @unchecked because it changes only while nobody else refers to it.
    private final class Storage: @unchecked Sendable {
        var value: Value

        init(_ value: Value) { self.value = value }
    }

    private var storage: Storage

    init(wrappedValue: Value) { storage = Storage(wrappedValue) }

    var wrappedValue: Value {
        _read { yield storage.value }
        _modify {
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
            yield &storage.value
        }
    }
}
