// SPDX-License-Identifier: Apache-2.0

import MingleModel

/// What somebody did that concerns the viewer; the words are those of the API.
package enum NoticeKind: String, Hashable, Sendable, CaseIterable {
    /// Somebody commented on something of the viewer's.
    case comment
    /// Somebody commented after the viewer on something of somebody else's.
    case reply
    /// Somebody faves something of the viewer's.
    case fave
    /// Somebody rated something of the viewer's.
    case rating
    /// Somebody joined a moment of the viewer's.
    case join
    /// Somebody checked in at a moment of the viewer's.
    case checkIn = "check_in"
    /// Somebody invites the viewer to a moment.
    case invitation
    /// Somebody wants to be connected with the viewer.
    case request
    /// Somebody answered that the two are connected.
    case connected
    /// A moderator hid something of the viewer's.
    case hidden
    /// A moderator showed it again.
    case shown
    /// People reported something, and a moderator is to look at it.
    case report
    /// Somebody offers a deal at a place that is one of the viewer's favourites.
    case deal
    /// Somebody tells those who moderate something about the event.
    case feedback
    /// Somebody says to own a place, and a host is to answer.
    case claim
    /// A host made the viewer the owner of a place.
    case owner
    /// A host does not take the viewer, who says so, for the owner of a place.
    case declined
    /// Somebody added a place, and a moderator is to look at it.
    case approval
}

/// Records of one kind that concern the viewer, as SQL: `?1` is the viewer's row.
///
/// Rows of the kind's own table are looked at, and not its view, which would ask of each of ten thousand faves whether
/// all above it is shown. What they hang on is asked that once, in ``things``.
struct NoticeSource {
    let notice: NoticeKind
    /// The kind of what they hang on.
    let thing: Kind
    /// A table `mine (thing, target, audience, since)`: what they hang on, and since when they concern the viewer.
    let things: String
    /// The kind of the records, of which the table is called `post`.
    let post: Kind
    /// What has to be so that one counts.
    let condition: String

    /// Who is in the group of the thing `?2`, the latest first, up to `?3`.
    var people: String {
        """
        WITH every(thing, target, audience, since) AS (\(things)),
        mine AS MATERIALIZED (SELECT * FROM every WHERE thing = ?2)
        SELECT post.author, max(post.shown_at) AS latest \(records) GROUP BY post.author ORDER BY latest DESC LIMIT ?3
        """
    }

    /// The newest record of the group of the thing `?2`.
    var newest: String {
        """
        WITH every(thing, target, audience, since) AS (\(things)),
        mine AS MATERIALIZED (SELECT * FROM every WHERE thing = ?2)
        SELECT post.id \(records) ORDER BY post.shown_at DESC, post.tie DESC LIMIT 1
        """
    }

    /// Groups of several sources with the same ``things``, which is looked up once: the place of the source among them,
    /// the thing, how many people, and the time and tie of the newest record.
    static func groups(of sources: [NoticeSource]) -> String {
        let groups = sources.enumerated().map { place, source in
            """
            SELECT \(place), mine.thing, count(DISTINCT post.author), max(post.shown_at), post.tie \(source.records)
            GROUP BY mine.thing
            """
        }
        return """
            WITH mine(thing, target, audience, since) AS MATERIALIZED (\(sources[0].things))
            \(groups.joined(separator: " UNION ALL "))
            """
    }

    private var records: String {
        """
        FROM mine CROSS JOIN \(post.name) AS post ON post.target = mine.target AND \(Schema.within("post", "mine"))
        WHERE post.author <> ?1 AND post.shown_at > mine.since AND \(condition) AND \(Viewer.isHeard("post.author"))
        """
    }
}

extension NoticeSource {
    /// All sources whose records hang on what others do something to.
    static let all: [NoticeSource] =
        own(.comment, .comment, isSaid) + own(.fave, .fave, "post.\"on\" = 1")
        + own(.rating, .rating, "post.overall IS NOT NULL") + replies
        + [
            NoticeSource(
                notice: .join,
                thing: .moment,
                things: mine(.moment),
                post: .participation,
                condition: "post.state >= 2"
            ),
            NoticeSource(
                notice: .checkIn,
                thing: .moment,
                things: mine(.moment),
                post: .checkIn,
                condition: """
                    \(isUnhidden) AND EXISTS (
                        SELECT 1 FROM participation AS part
                        WHERE part.target = post.target AND part.author = post.author AND part.state >= 2
                    )
                    """
            ),
        ]

    /// The same, those together that concern the same things.
    static let byThings = Dictionary(grouping: all, by: \.things).values.map(\.self)

    private static let isUnhidden = """
        NOT EXISTS (SELECT 1 FROM hiding WHERE hiding.hides = 1 AND hiding.record = post.id)
        """
    private static let isSaid = "(post.text IS NOT NULL OR post.preview IS NOT NULL) AND \(isUnhidden)"

    /// What is done to things of the viewer's.
    private static func own(_ notice: NoticeKind, _ post: Kind, _ condition: String) -> [NoticeSource] {
        post.parents.map { thing in
            NoticeSource(notice: notice, thing: thing, things: mine(thing), post: post, condition: condition)
        }
    }

    /// What is said after the viewer on things of others.
    private static let replies = Kind.comment.parents.map { thing in
        NoticeSource(
            notice: .reply,
            thing: thing,
            things: """
                SELECT thing.id, thing.id, thing.audience, said.since FROM (
                    SELECT target, min(shown_at) AS since FROM comment
                    WHERE author = ?1 AND target_kind = \(thing.number) GROUP BY target
                ) AS said CROSS JOIN visible_\(thing.name) AS thing ON thing.id = said.target WHERE thing.author <> ?1
                """,
            post: .comment,
            condition: isSaid
        )
    }

    /// What of a kind the viewer made and everybody sees who can open it, with what a moment continues.
    private static func mine(_ kind: Kind) -> String {
        let made = "SELECT id, id, audience, \(Int64.min) FROM visible_\(kind.name) WHERE author = ?1"
        guard kind == .moment else { return made }
        return """
            \(made) UNION ALL SELECT moment.id, ancestor, lineage.audience, \(Int64.min)
            FROM visible_moment AS moment JOIN lineage ON lineage.moment = moment.id WHERE moment.author = ?1
            """
    }
}
