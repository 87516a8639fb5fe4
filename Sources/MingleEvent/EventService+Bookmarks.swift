// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MingleAPI
import MingleReplica

/// What one marked, and what cannot be read yet.
extension EventService {
    /// What one marked, marked last first.
    package func bookmarks(before: String?, limit: Int) throws -> API.Envelope.Bookmarks {
        let cursor = ListCursor("bookmarks")
        let page = try replica.bookmarks(before: cursor.cursor(before), limit: limit)
        let items = page.items.map { bookmark in
            switch bookmark.record {
            case .photo(let photo): API.Bookmark(photo: self.photo(photo), at: Date(milliseconds: bookmark.at))
            case .moment(let moment):
                API.Bookmark(
                    moment: API.Moment(moment, now: now, here: present),
                    at: Date(milliseconds: bookmark.at)
                )
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
}
