// SPDX-License-Identifier: Apache-2.0

extension Kind {
    /// What the owner of a place offers for a time; prices are in the smallest unit of the event's currency.
    package static let deal = Kind(
        29,
        "deal",
        plural: "deals",
        area: .deals,
        traits: [.commentable, .faveable, .rateable, .bookmarkable, .reportable, .usable],
        target: .having(.offering),
        audience: .everybody,
        shownIf: [.owner, .span(from: "start", to: "end", longest: 366 * 86_400_000)],
        shows: [.count],
        fields: [
            Field(1, "title", .text(limit: 200), required: true, isSearched: true),
            Field(2, "text", .text(limit: 4000), isSearched: true),
            Field(3, "terms", .text(limit: 4000)),
            Field(4, "start", .time, required: true),
            Field(5, "end", .time, required: true),
            Field(6, "price", .number(0...1_000_000_000_000)),
            Field(7, "price_before", .number(0...1_000_000_000_000)),
            // How many people can use it; nothing: any number.
            Field(8, "quantity", .number(1...1_000_000)),
            Field(9, "thumbnail", .media),
            Field(10, "preview", .media),
            // The one device that confirms uses; nothing: the one that made the deal.
            Field(11, "confirming", .device),
        ]
    )

    /// That a person used a deal; it is never undone.
    package static let dealUse = Kind(
        30,
        "deal_use",
        plural: "deal_uses",
        area: .deals,
        identity: .key,
        target: .having(.usable),
        audience: .everybody,
        shows: [.count, .mine],
        fields: [Field(1, "used", .number(1...1), required: true, merge: .maximum)]
    )

    /// That the venue saw a person use a deal; it is never undone.
    package static let dealConfirmation = Kind(
        31,
        "deal_confirmation",
        plural: "deal_confirmations",
        area: .deals,
        identity: .key,
        target: .having(.usable),
        subject: .person,
        audience: .everybody,
        shownIf: [.creator],
        shows: [.count],
        fields: [Field(1, "confirmed", .number(1...1), required: true, merge: .maximum)]
    )
}

/// Where a deal stands in time; the words are those of the API.
package enum DealState: String, Hashable, Sendable, CaseIterable {
    /// It has not begun.
    case future
    /// It can be used.
    case active
    /// It is over.
    case ended

    /// The state of a deal at a time; all are milliseconds since 1970.
    package init(start: Int64, end: Int64, at now: Int64) {
        self = now < start ? .future : now < end ? .active : .ended
    }
}

/// What became of a person's use of a deal; the words are those of the API.
package enum DealUseState: String, Hashable, Sendable, CaseIterable {
    /// The venue has not said anything yet.
    case waiting
    /// The venue confirmed it.
    case confirmed
    /// The venue confirmed others, and there was no more.
    case usedUp = "used_up"
}
