// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MingleAPI
package import MingleModel
import MingleReplica

/// The order of the news.
package enum NewsOrder: String, Sendable, CaseIterable {
    /// What matters most now first, by ``NewsRank``.
    case best
    /// Everything, newest first.
    case newest
}

/// What happened.
extension EventService {
    /// Entries of a list in order of rank, which has no further page.
    package static let bestNewsLimit = 50
    /// Records of a page in order of time.
    private static let newestNewsLimit = 100
    /// The newest records of each kind that are ranked: what is older does not compete.
    private static let candidates: [(kind: Kind, limit: Int)] = [
        (.photo, 150), (.comment, 100), (.moment, 50), (.checkIn, 50), (.rating, 50),
    ]
    /// Photos of an entry by which people are counted.
    private static let countedPhotos = 6

    /// What happened; nothing of areas that are off.
    package func news(order: NewsOrder, before: String?) throws -> API.Envelope.News {
        let areas = try replica.settings().areas
        switch order {
        case .best:
            guard before == nil else {
                throw API.Problem(.badRequest, "The best news have no further page. For all of them: order=newest")
            }
            let items = try replica.news { reader in
                try best(reader, areas).map { try item($0, reader) }
            }
            return API.Envelope.News(items: items, locked: try locked())
        case .newest:
            let cursor = ListCursor("news")
            let start = try cursor.cursor(before)
            return try replica.news { reader in
                let page = try reader.happenings(before: start, limit: Self.newestNewsLimit)
                return try news(page, cursor, reader) { try isOn($0, areas, reader) }
            }
            .with(locked: before == nil ? try locked() : nil)
        }
    }

    /// What happens at places within a circle, newest first: photos, comments, check-ins and ratings, and what is
    /// said of deals there.
    package func news(near circle: GridCircle, before: String?) throws -> API.Envelope.News {
        let areas = try replica.settings().areas
        guard areas.contains(.venues) else { return API.Envelope.News(items: []) }
        let (center, metres) = (circle.center, circle.metres)
        let cursor = ListCursor("news?near=\(center.latitude),\(center.longitude)&radius_m=\(metres)")
        let start = try cursor.cursor(before)
        return try replica.news { reader in
            let page = try reader.happenings(
                near: circle,
                hasDeals: areas.contains(.deals),
                before: start,
                limit: Self.newestNewsLimit
            )
            return try news(page, cursor, reader) { areas.contains(.ratings) || $0.kind != .rating }
        }
    }

    private func news(
        _ page: Page<Happening>,
        _ cursor: ListCursor,
        _ reader: NewsReader,
        _ isTold: (Happening) throws -> Bool
    ) throws -> API.Envelope.News {
        API.Envelope.News(
            items: try NewsEntry.gathered(page.items.filter(isTold)).map { try item($0, reader) },
            next: cursor.text(page.next)
        )
    }

    /// Whether all areas of something that happened are on.
    private func isOn(_ happening: Happening, _ areas: Set<Area>, _ reader: NewsReader) throws -> Bool {
        switch happening.kind {
        case .moment: areas.contains(.moments)
        case .comment: try areas.contains(.moments) || reader.moment(standing: happening.target) == nil
        case .rating: areas.isSuperset(of: [.ratings, .venues])
        // Most are at moments; where both areas are on nobody need look.
        case .checkIn where areas.isSuperset(of: [.moments, .venues]): true
        case .checkIn: try areas.contains(reader.isPlace(happening.target) ? .venues : .moments)
        default: true
        }
    }

    // MARK: - In order of rank

    private func best(_ reader: NewsReader, _ areas: Set<Area>) throws -> [NewsEntry] {
        let hasMoments = areas.contains(.moments)
        let happenings = try Self.candidates.flatMap { try reader.newest($0.kind, limit: $0.limit) }
            .filter { try $0.kind == .comment || isOn($0, areas, reader) }
            .sorted { $0.place > $1.place }
        var things: [Int64: Happening] = [:]
        for comment in happenings where comment.kind == .comment && things[comment.target] == nil {
            let thing = try reader.thing(comment.target)
            things[comment.target] = hasMoments || thing?.kind != .moment ? thing : nil
        }
        var ranking = Ranking(reader: reader, connected: try reader.connected(), now: now.milliseconds)
        let ranked = try NewsEntry.gathered(happenings, about: things).map { try ranking.ranked($0) }
        return RankedEntry.ordered(ranked, at: now.milliseconds).prefix(Self.bestNewsLimit).map(\.entry)
    }

    /// Finds what ranks entries.
    private struct Ranking {
        let reader: NewsReader
        let connected: Set<Int64>
        let now: Int64
        private var moments: [Int64: MomentStanding?] = [:]

        init(reader: NewsReader, connected: Set<Int64>, now: Int64) {
            (self.reader, self.connected, self.now) = (reader, connected, now)
        }

        mutating func ranked(_ entry: NewsEntry) throws -> RankedEntry<NewsEntry, Int64, Cursor> {
            let subject = entry.thing ?? entry.records[0]
            let moment = try moment(subject.kind == .moment ? subject.row : subject.target)
            return RankedEntry(
                entry: entry,
                author: subject.author,
                place: entry.newest.place,
                rank: NewsRank(
                    at: entry.newest.at,
                    people: try people(in: entry, about: subject),
                    isRunning: moment.map { $0.start <= now && now < $0.end } ?? false,
                    isConnected: connected.contains(subject.author),
                    isMine: moment?.isMine ?? false
                )
            )
        }

        private mutating func moment(_ row: Int64) throws -> MomentStanding? {
            guard row > 0 else { return nil }
            if let known = moments[row] { return known }
            let found = try reader.moment(standing: row)
            moments[row] = .some(found)
            return found
        }

        private func people(in entry: NewsEntry, about subject: Happening) throws -> Int {
            switch entry.kind {
            case .checkIn, .rating: Set(entry.records.map(\.author)).count - 1
            case .photo:
                try min(
                    entry.records.prefix(countedPhotos).reduce(into: Set<Int64>()) { people, photo in
                        people.formUnion(try reader.engaged(in: photo))
                    }.count,
                    NewsReader.engagedLimit
                )
            default: try reader.engaged(in: subject).count
            }
        }
    }
}

extension API.Envelope.News {
    fileprivate func with(locked: [API.Locked]?) -> Self {
        var copy = self
        copy.locked = locked
        return copy
    }
}
