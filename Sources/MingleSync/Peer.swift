// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleWire

/// What the engine knows of one connection.
struct Peer: Sendable {
    /// How far the greeting has come.
    enum Phase: Sendable {
        /// It has not greeted yet.
        case silent
        /// The shell checks its greeting.
        case greeted
        /// The shell has let it in.
        case accepted
    }

    /// What the peer is owed.
    struct Serving: Sendable {
        /// Requests for runs of fabric journals and of content journals.
        var runs: [Queue<RunsRequest>] = [Queue(), Queue()]
        /// Requests for payloads.
        var payloads = Queue<[Reference]>()
        /// Whether the shell is loading runs for it.
        var isLoadingRuns = false
        /// Whether the shell is loading payloads for it.
        var isLoadingPayloads = false
        /// Payloads that it asked for, and that are being looked for or that it was told are absent.
        var owed: Set<Reference> = []
        /// Of these, those that have come since and of which it is to be told.
        var due = Queue<Reference>()
        /// Its questions about blobs.
        var questions = Queue<[BlobName]>()
        /// Blobs that it asked about before and that have come to be held.
        var news = Queue<[BlobName]>()
        /// The names that the shell is looking up.
        var lookUp: [BlobName]?
        /// Chunks to be read, by lane.
        var chunks: [Queue<ChunkRequest>] = [Queue(), Queue(), Queue()]
        /// Chunks being read.
        var loading: [ChunkRequest] = []
        /// Blobs that it asked for and that were not held whole.
        var interest: Set<BlobName> = []

        /// Whether it asked for something that it was not sent yet; what is not held does not count.
        var isBusy: Bool {
            isLoadingRuns || isLoadingPayloads || !runs.allSatisfy(\.isEmpty) || !payloads.isEmpty || !due.isEmpty
                || !loading.isEmpty
                || !chunks.allSatisfy(\.isEmpty)
        }

        /// Requests for a kind of journal that are answered together: as many as are small.
        mutating func takeRequests(for journal: Journal, _ limits: SyncLimits) -> [RunsRequest] {
            var next: [RunsRequest] = []
            var room = limits.servedBytes
            while let request = runs[Int(journal.rawValue)].first, next.count < limits.servedRequests,
                next.isEmpty || request.byteLimit <= room
            {
                room -= request.byteLimit
                next.append(request)
                _ = runs[Int(journal.rawValue)].popFirst()
            }
            return next
        }

        /// Payloads that have come and of which one message tells it; nil if there are none.
        mutating func takeDue(_ limits: SyncLimits) -> [Reference]? {
            var next: [Reference] = []
            while next.count < limits.payloadsPerRequest, let reference = due.popFirst() { next.append(reference) }
            return next.isEmpty ? nil : next
        }

        // One access for looking and changing: whoever holds on to a set meanwhile makes each name cost a copy of all.

        /// Notes that the peer is to be told of a blob once it is held, unless it is to be told of too many.
        mutating func noteInterest(in name: BlobName, _ limits: SyncLimits) {
            if interest.count < limits.interestingBlobs { interest.insert(name) }
        }

        /// Notes that the peer is to be told of a payload once it comes, unless it is to be told of too many.
        mutating func owe(_ reference: Reference, _ limits: SyncLimits) {
            if owed.count + due.count < limits.owedPayloads { owed.insert(reference) }
        }
    }

    /// What was given to a lane and may not have left yet.
    struct Unsent: Sendable {
        private(set) var count = 0
        private(set) var byteCount = 0

        mutating func add(_ length: Int) {
            count += 1
            byteCount += length
        }

        /// Counts two messages as one, as they leave together.
        mutating func joinLast() { count -= 1 }
    }

    /// One chunk that the peer asked for.
    struct ChunkRequest: Sendable, Equatable {
        let name: BlobName
        let index: UInt32
        let lane: Lane
    }

    /// What the shell knows of what the peer holds.
    enum Standing: Sendable {
        /// Nothing, or that it holds more and does not deliver it.
        case unknown
        /// That it held the same, and has told of nothing since that is not here.
        case inSync
        /// That it held the same, and tells of more.
        case ahead
    }

    let session: Session
    let openedAt: Duration
    var phase = Phase.silent
    /// Whether this node's own greeting is on its way; nothing goes before it.
    var hasGreeted = false
    /// Whether it was asked for a certificate, and has not sent one.
    var isAskedToCertify = false
    /// Whether it has asked for a certificate; it may once.
    var hasAskedToBeLinked = false
    /// A decision about the peer that came before that.
    var verdict: Verdict?
    /// Who it is, once it has greeted.
    var device: DeviceName?
    /// Whose device it is, where the shell knows that.
    var person: PersonID?
    /// Whether it is a relay.
    var isRelay = false
    /// What this node lets it have.
    var granted: Scope?
    /// What it lets this node have.
    var received: Scope?
    /// The scope of the last digest that it sent: what it is ready for on any lane.
    var ready: Scope?
    /// When frontiers were last compared.
    var comparedAt = Duration.zero
    /// How often in a row they differed when they were compared.
    var differences = 0
    /// How often in a row they were the same, those times not counted that came soon after another.
    var agreements = 0
    /// When that was counted last.
    var agreedAt: Duration?
    /// Whether it has told since of something that was not here.
    var hasToldMore = false
    /// What was noted of what it holds.
    var standing = Standing.unknown
    /// Whether something was left unsaid while it read too slowly.
    var owesDigest = false
    /// What was given to each lane since it last drained.
    var unsent = [Unsent](repeating: Unsent(), count: Lane.allCases.count)
    /// How far it holds journals of which this node holds less: it need not be told what it told.
    ///
    /// Nothing is kept of what both hold, which of each peer and each journal would be much.
    var ahead: [JournalKey: JournalPoint] = [:]
    /// Whether it is pushed what is new; else it is told of that a while later.
    var isEager = true
    /// Journals that have grown and that it may lack, and when it is to be told of them unless it was pushed them.
    var untold: [JournalKey: Duration] = [:]
    /// Messages that it may send unasked.
    var allowance: MessageAllowance
    /// Questions about blobs that it may ask.
    var questionAllowance: MessageAllowance
    @Apart var asked = Asked()
    @Apart var serving = Serving()
    @Apart var blobs = BlobSource()

    /// When it has taken too long to greet; nil once it has greeted.
    func endOfGreeting(_ limits: SyncLimits) -> Duration? {
        let isGreeting = phase == .silent || (phase == .accepted && received == nil)
        return isGreeting ? openedAt + limits.greetingTimeout : nil
    }

    /// When frontiers are compared anew: one side is enough, the other asks only if that one does not.
    ///
    /// Once all is here that the last comparison brought that is soon, as nobody knows before that nothing is lacking; but where frontiers
    /// differ each time, as in a busy event, ever later. What is known to be lacking and is not kept in mind waits no longer. Where pushing
    /// and telling have kept both in sync each time, there is little to find.
    func nextComparison(_ limits: SyncLimits) -> Duration? {
        guard ready != nil else { return nil }
        let doublings = standing == .unknown ? 0 : min(max(agreements - 1, 0), limits.digestDoublings)
        let interval = limits.digestInterval * (1 << doublings)
        var pause = interval
        if asked.offers == 0, asked.hasOverlooked {
            pause = limits.comparisonPause
        } else if asked.offers == 0, differences > 0, hasToldMore {
            pause = limits.comparisonPause * (1 << min(differences - 1, 5))
        }
        return comparedAt + min(pause, interval) * (session.isInitiator ? 1 : 2)
    }

    /// Notes that both held the same.
    ///
    /// Who asks again and again within a minute shows nothing by that.
    mutating func noteAgreement(at now: Duration, _ limits: SyncLimits) {
        if agreements > 0, let agreedAt, now - agreedAt < limits.digestInterval / 2 { return }
        (agreements, agreedAt) = (agreements + 1, now)
    }

    /// When it has to be looked after at the latest.
    func nextDuty(_ limits: SyncLimits) -> Duration? {
        // Whoever is waited for is looked at every second.
        let owesWords = asked.awaitsRuns || !asked.payloads.isEmpty
        let isAwaited = owesWords || blobs.wireCount > 0 || !blobs.question.isEmpty
        guard !isAwaited else { return .zero }
        // Asked for after everything that is sent or received, so nothing is gathered into a list.
        var next = endOfGreeting(limits)
        if let comparison = nextComparison(limits) { next = min(next ?? comparison, comparison) }
        if !asked.strikes.isEmpty {
            let forgiveness = asked.strikesSince + limits.strikePause
            next = min(next ?? forgiveness, forgiveness)
        }
        for due in untold.values { next = min(next ?? due, due) }
        return next
    }

    /// What the session carries: the less of what both sides allow.
    var scope: Scope? {
        guard let granted, let received else { return nil }
        return min(granted, received)
    }
}
