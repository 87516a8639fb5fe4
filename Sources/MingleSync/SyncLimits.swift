// SPDX-License-Identifier: Apache-2.0

/// What bounds a session: every count, size and wait that a peer influences.
package struct SyncLimits: Sendable {
    /// The protocol's version, sent in a greeting.
    package static let version: UInt32 = 1
    /// The end of the year 9999 in milliseconds since 1970, beyond which no clock is taken at its word.
    static let latestTime: UInt64 = 253_402_300_799_999

    /// How long a peer may take to greet.
    package var greetingTimeout = Duration.seconds(30)
    /// How long a peer may take to go on answering.
    package var requestTimeout = Duration.seconds(10)
    /// How long a peer may send nothing of what it was asked for of journals before others are asked that offer the same.
    package var silence = Duration.seconds(3)
    /// How long a peer may take to begin with an answer about a journal while it sends others that it was asked for.
    package var queueTimeout = Duration.seconds(60)
    /// How long what is new spreads by itself before those are told of it to whom it was not pushed.
    package var tellingDelay = Duration.seconds(1)
    /// Bytes of the largest run that is pushed on.
    package var pushedBytes = 16 << 10
    /// How long after a comparison frontiers are compared anew, at first and where they differed.
    package var digestInterval = Duration.seconds(60)
    /// How often that is doubled, with each further time that they were the same: to four minutes.
    package var digestDoublings = 2
    /// How soon that is done again, at the earliest, once all is here that was found to be lacking.
    package var comparisonPause = Duration.seconds(2)
    /// How long a peer that stalled is not asked for blobs, the first time, nor anybody for what could not be stored.
    package var stallPause = Duration.seconds(30)

    /// How long a peer may take to say what it holds of blobs before nobody waits for it.
    package var blobSilence = Duration.milliseconds(500)
    /// How often a person's devices may leave while they owe chunks before they count as ones that stalled.
    package var abandonments = 3

    /// How long a peer that stalled keeps nobody waiting for what it has of blobs.
    package var stallMemory = Duration.seconds(300)

    /// Bytes of a session that wait to be proved.
    package var unprovedBytes = 1 << 20
    /// Bytes handed to the shell on one lane before it must have drained.
    package var laneBytes = 1 << 20
    /// The same for the lane that steers, which nothing may keep waiting.
    package var controlBytes = 512 << 10
    /// Messages handed to the shell on one lane before it must have drained.
    package var laneMessages = 1024
    /// Bytes of runs that one request asks for.
    package var requestBytes = 512 << 10
    /// Bytes that requests for runs may ask for which are answered together.
    package var servedBytes = 128 << 10
    /// Such requests: few, so that nobody who waits behind takes this node for silent.
    package var servedRequests = 8
    /// Bytes a second that a request's runs come at, at the least.
    package var slowestRuns = 4 << 10
    /// Bytes of the largest run: 64 headers, each with a payload that travels along.
    package var runBytes = 160 << 10
    /// Bytes of one journal that are asked for before journals that were not begun: some five thousand records.
    package var begunBytes = 4 << 20
    /// Requests for runs that one peer has to answer at a time.
    package var runRequests = 32
    /// Requests that a peer may have waiting here, of runs and of payloads each.
    package var waitingRequests = 64
    /// Points of a locator.
    package var locatorPoints = 64
    /// Times that a peer may fail to deliver a journal that it advertised before it is not asked for it for a while.
    package var strikes = 3
    /// How long that is.
    package var strikePause = Duration.seconds(300)
    /// Headers that one peer advertises and that are kept in mind; of more those are found again that came last.
    package var offers = 1 << 11
    /// How many of these each peer may have, however many others have.
    package var offersAtLeast = 1 << 8
    /// Journals that all peers together advertise and that are kept in mind, but for what each may have.
    package var pulledJournals = 1 << 13
    /// Headers of devices without certificate that one peer advertises and that are kept in mind.
    package var unprovedOffers = 1 << 10
    /// Journals of devices without certificate that are kept in mind.
    package var unprovedJournals = 1 << 12
    /// Journals that a peer advertised and did not deliver before the session ends.
    package var undelivered = 1 << 12
    /// Messages of one bundle.
    package var bundledMessages = 256
    /// Bytes of the messages of a bundle that is made here: a fragment's, so that what is urgent waits no longer.
    package var bundledBytes = 32 << 10
    /// Entries of one message.
    package var entriesPerMessage = 1024
    /// Runs of a greeting.
    package var certificates = 16

    /// Payloads that one request asks for.
    package var payloadsPerRequest = 64
    /// How often a peer is asked for one payload in a session, as it says that it came.
    package var payloadTurns = 4
    /// Payloads that a peer has to answer for before another is turned to for the next.
    package var payloadsTogether = 16
    /// Bytes of payloads that one request asks for, and one answer holds.
    package var payloadBytes = 1 << 20
    /// Payloads that a peer asked for and that it is told of if they come, as they are absent: more than a node asks for at once.
    package var owedPayloads = 1 << 14

    /// Devices of which it is remembered that they have let go of one payload.
    package var evictors = 4

    /// Wanted blobs that are kept in mind; of more those are found again later that came first, originals before previews.
    package var wantedBlobs = 1 << 14
    /// Names of one question about blobs.
    package var blobsPerQuestion = 256
    /// Questions about blobs that a peer may ask at once: about two million blobs.
    package var questionBurst = 8192
    /// Questions about blobs that a peer may ask in a second.
    package var questionsPerSecond = 100
    /// Questions about blobs that a peer may have waiting here.
    package var waitingQuestions = 64
    /// Stalls in a row that double the time that a peer is given, to 88 s for small chunks, and the pause after it, to 4 minutes.
    package var stallDoublings = 3
    /// Bytes a second that a chunk comes at, at the least.
    package var slowestChunk = 256 << 10
    /// Blobs that a peer asked for and that it is told of once they are held.
    package var interestingBlobs = 1 << 16
    /// Chunks that a peer may have waiting here.
    package var waitingChunks = 256
    /// Chunks asked of a peer at a time.
    package var chunksOnWire = 64
    /// Bytes of chunks asked of a peer at a time, though two chunks always may be.
    package var chunkBytesOnWire = 2 << 20
    /// Chunks being read for one peer at a time.
    package var chunkLoads = 2
    /// Chunks that nobody asked for before the peer is dropped.
    package var strayChunks = 256

    /// Addresses of one message.
    package var addresses = 32
    /// Bytes of one address.
    package var addressLength = 256
    /// Messages that steer which a peer may send at once.
    package var messageBurst = 4096
    /// Messages that steer which a peer may send in a second.
    package var messagesPerSecond = 1000

    /// The limits of the protocol.
    package init() {}

    /// The limits of a relay, which is to hold whatever is shared.
    package static var relay: SyncLimits {
        var limits = SyncLimits()
        limits.wantedBlobs = 1 << 20
        return limits
    }
}
