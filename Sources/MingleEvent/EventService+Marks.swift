// SPDX-License-Identifier: Apache-2.0

package import MingleAPI
package import MingleModel
import MingleReplica

/// What people say of what others share by a tap: faves and bookmarks.
extension EventService {
    /// Faves a record, or stops to.
    package func fave(_ target: Reference, _ on: Bool) throws -> API.Faves {
        try requireWritable(target, for: .fave)
        let faved = try replica.faved(target)
        if on, faved.isEmpty { try author([.set(.fave, on: .record(target), values: ["on": .number(1)])]) }
        // A fave of an earlier moment that this one continues goes with it.
        if !on {
            let values = ["on": Value.number(0)]
            try author(faved.map { .set(.fave, on: .record($0.target), values: values, for: $0.audience) })
        }
        return try faves(of: target)
    }

    /// Marks a record to find it again, or takes the mark away; nobody else learns of it.
    package func bookmark(_ target: Reference, _ on: Bool) throws -> API.Envelope.Bookmarked {
        try requireWritable(target, for: .bookmark)
        guard try [.photo, .moment].contains(targetKind(of: target, for: .bookmark)) else {
            throw API.Problem(
                .conflict,
                "Photos and moments can be bookmarked. A place can be a favourite: PUT /favourites/ID, or mingle favourite set."
            )
        }
        let marked = try replica.bookmarked(target)
        let mark = { (on: Int64, target: Reference) in
            Draft.set(.bookmark, on: .record(target), values: ["on": .number(on)])
        }
        if on, marked.isEmpty { try author([mark(1, target)]) }
        if !on, !marked.isEmpty { try author(marked.map { mark(0, $0) }) }
        return API.Envelope.Bookmarked(bookmarked: on)
    }

    package func faves(of target: Reference) throws -> API.Faves {
        let kind = try targetKind(of: target, for: .fave)
        if [.photo, .moment].contains(kind) {
            let faves = try replica.faves(of: target)
            return API.Faves(faves: Int(faves.count), faved: faves.mine)
        }
        let faves = try replica.aggregates(on: target, of: kind)[Kind.fave.name]
        return API.Faves(faves: Int(faves?.count ?? 0), faved: faves?.mine != nil)
    }
}
