// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MingleAPI
import MingleModel
import MingleReplica

/// What happened, and what one marked.
extension EventService {
    /// What happened, newest first; nothing of moments where they are off.
    package func feed(before: String?, limit: Int) throws -> API.Envelope.Feed {
        let cursor = ListCursor("feed")
        let hasMoments = try isOn(.moment)
        let page = try replica.activity(before: cursor.cursor(before), limit: limit)
        return API.Envelope.Feed(
            items: page.items.compactMap { feedItem($0) }.filter {
                hasMoments || $0.moment == nil && $0.type != "check_in"
            },
            next: cursor.text(page.next),
            locked: before == nil ? try locked() : nil
        )
    }

    /// What one marked, marked last first.
    package func bookmarks(before: String?, limit: Int) throws -> API.Envelope.Bookmarks {
        let cursor = ListCursor("bookmarks")
        let page = try replica.bookmarks(before: cursor.cursor(before), limit: limit)
        let items = page.items.compactMap { bookmark in
            feedItem(bookmark.record).map { item in
                var item = item
                item.at = Date(milliseconds: bookmark.at)
                return item
            }
        }
        return API.Envelope.Bookmarks(items: items, next: cursor.text(page.next))
    }

    /// What others said under keys that have not come; nil where all can be read.
    package func locked() throws -> [API.Locked]? {
        let here = present
        let locked = try replica.locked().filter { !$0.author.isMuted }
            .map { locked in
                API.Locked(
                    author: API.Person(locked.author, here: here),
                    count: Int(locked.count),
                    latest: Date(milliseconds: locked.latest),
                    unlockers: locked.unlockers.map { API.Person($0, here: here) }
                )
            }
        return locked.isEmpty ? nil : locked
    }

    private func feedItem(_ activity: ShownActivity) -> API.FeedItem? {
        let here = present
        switch activity {
        case .photo(let photo):
            let shown = self.photo(photo)
            return API.FeedItem(
                type: "photo",
                at: shown.posted,
                author: shown.author,
                photo: shown,
                hidden: shown.hidden
            )
        case .comment(let comment):
            let shown = API.Comment(comment, here: here)
            return API.FeedItem(
                type: "comment",
                at: shown.posted,
                author: shown.author,
                comment: shown,
                hidden: shown.hidden
            )
        case .moment(let moment):
            let shown = API.Moment(moment, now: now, here: here)
            return API.FeedItem(
                type: "moment",
                at: shown.created,
                author: shown.author,
                moment: shown,
                hidden: shown.hidden
            )
        case .checkIn(let checkIn):
            return API.FeedItem(
                type: "check_in",
                at: Date(milliseconds: checkIn.at),
                author: API.Person(checkIn.author, here: here),
                moment: checkIn.moment.flatMap { try? self.moment($0) },
                place: checkIn.placeName,
                hidden: checkIn.hiding.map { API.Hidden($0, here: here) }
            )
        }
    }
}
