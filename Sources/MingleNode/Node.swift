// SPDX-License-Identifier: Apache-2.0

import CCommit
import Foundation
package import Logging
import MingleAPI
import MingleCrypto
import MingleDiscovery
import MingleMedia
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync
import MingleWire
import Synchronization

/// One node: a data folder, its events, and the links to other nodes.
///
/// It brings the parts together and decides nothing by itself: ``EventSession`` runs an event's engine, ``DialPlan`` says
/// whom to dial, ``PeerTransport`` owns the sockets.
package final class Node: Sendable {
    /// The version that this node says it is.
    package static let version = "0.1.0"
    /// The version and the commit that this program was built from; the version alone if the commit is not known.
    package static let build = {
        let commit = unsafe String(cString: mingle_commit())
        return commit.isEmpty ? version : "\(version) (\(commit))"
    }()

    struct State {
        var settings: DataFolder.Settings
        var sessions: [EventID: EventSession] = [:]
        /// Events that somebody is joining just now.
        var entering: Set<EventID> = []
        /// Events whose session is being opened anew.
        var reopening: Set<EventID> = []
        /// Events that could not be opened.
        var unopened: Set<EventID> = []
        /// Those of them for which the disk was full.
        var roomless: Set<EventID> = []
        /// Whether there is room to open them.
        var room = DiskRoom()
        var links: [PeerID: Link] = [:]
        var dialling = DialPlan(seed: .random(in: 1 ... .max))
        var dials = DialledLinks()
        var hungUp = HungUp()
        var discovery = DiscoveryState.absent(reason: "not started")
        var warnings: [String] = []
        /// Further devices of this person's that were linked since the start.
        var linked: [LinkedDevice] = []
        var port = 0
        var names: [EventID: String] = [:]
        var openNames: [EventID: OpenName] = [:]
        /// What others nearby say is open.
        var nearby = NearbyEvents()
        /// How loaded this relay said it is.
        var advertisedLoad = 0
        /// Addresses to dial besides what is discovered.
        var peers: [String]

        /// Whether there is room for an event: so many, and no more, can be told apart on a connection that comes in.
        func hasRoom(for event: EventID) -> Bool {
            reopening.union(sessions.keys).subtracting([event]).count < ChannelLimits.events
        }

        /// The events that are not being left, and of which this node is a device already.
        var shown: [EventID: EventSession] { sessions.filter { !$0.value.isLeaving && !$0.value.isArriving } }
    }

    /// A device that this one certified, and what the person is told of it.
    struct LinkedDevice {
        let name: DeviceName
        let event: EventID
        let warning: String
    }

    /// A connection and where it belongs.
    struct Link {
        let connection: ConnectionID
        let event: EventID
        let address: RemoteAddress
        let opened: Duration
    }

    let configuration: NodeConfiguration
    let folder: DataFolder
    let logger: Logger
    let state: Mutex<State>
    let transport: PeerTransport
    let staticKey: AgreementKey
    let importer: PictureImporter
    let advertiser = Mutex<(any PeerDiscovery)?>(nil)
    /// The same for what is open to anyone nearby.
    let opener = Mutex<(any PeerDiscovery)?>(nil)
    /// Serializes finding out which events are open and announcing them.
    let tellingOpen = Mutex(())
    let importGate = ImportGate(limit: 2)
    /// Clips take seconds, and no photo waits for them.
    let clipGate = ImportGate(limit: 1)
    /// How far the backup is that is being made; nil while none is.
    let longWork = Mutex<[LongWork.Kind: API.HowFar]>([:])
    /// Uploads that come in parts.
    package let uploads: UploadShelf
    /// What changed, for those who look.
    package let changes = ChangeFeed()
    /// When this node was opened.
    let started = Date()
    let wake = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// Opens the data folder and all its events; nothing runs before ``run()``.
    package init(_ configuration: NodeConfiguration, logger: Logger) throws {
        self.configuration = configuration
        self.logger = logger
        folder = try DataFolder(configuration.dataPath, passphrase: configuration.passphrase)
        // Of what was cut off: keys are encrypted again that were being encrypted or decrypted.
        if let key = folder.keysKey { try folder.sealKeys(key) }
        try Self.requireUse(of: folder, configuration.use)
        state = Mutex(State(settings: folder.loadSettings(), peers: configuration.peers))
        staticKey = AgreementKey(secret: Randomness.system.secret())
        transport = PeerTransport(
            staticKey: staticKey,
            configuration: configuration.relay == nil ? TransportConfiguration() : .relay
        )
        importer = try PictureImporter(temporaryFolder: folder.path + "/importing")
        uploads = UploadShelf(
            folder: folder.path + "/unfinished",
            now: { [clock = configuration.clock] in Int64(clock.now().milliseconds) },
            freeBytes: { [path = folder.path] in SafeFile.freeBytes(at: path) }
        )
        let current = state.withLock { $0.settings.current }.flatMap { EventID(text: $0) }
        for event in folder.events(current: current) { openKnown(event) }
    }

    var clock: NodeClock { configuration.clock }

    /// Where the command line reaches this node.
    package var socketPath: String { folder.socketPath }

    /// The port on which peers find this node; 0 before it runs.
    package var peerPort: Int { state.withLock { $0.port } }

    /// Runs until cancelled: listens, looks for peers, and keeps links to them.
    package func run() async throws {
        try await listen()
        warnOfAddresses()
        for session in state.withLock({ Array($0.sessions.values) }) {
            resume(session)
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.takeEvents() }
            group.addTask { await self.keepDialling() }
            group.addTask { await self.discover() }
            group.addTask { await self.keepTicking() }
            group.addTask { await self.keepRetaining() }
            await group.next()
            group.cancelAll()
        }
        await transport.shutDown()
        for session in state.withLock({ Array($0.sessions.values) }) { session.stop() }
        // Whoever still refers to this node does nothing with the folder any more.
        folder.unlock()
    }

    /// Dials other addresses from now on; links that there are stay.
    package func setPeers(_ peers: [String]) {
        let sessions = state.withLock { state in
            state.peers = peers
            state.dialling.forgetConfigured()
            return Array(state.sessions.values)
        }
        warnOfAddresses()
        for session in sessions { learnConfigured(for: session.event) }
    }

    /// Whether a text is the address of a peer, as `--peer` takes it.
    package static func isPeerAddress(_ text: String) -> Bool { LocalAddresses.split(text) != nil }

    private func warnOfAddresses() {
        for address in state.withLock({ $0.peers }) where LocalAddresses.split(address) == nil {
            warn("\(ConfigurationFile.quoted(address)) is not an address of a peer. Write it as HOST:PORT.")
        }
    }

    private func keepTicking() async {
        var second = 0
        while !Task.isCancelled {
            second += 1
            try? await Task.sleep(for: .seconds(1))
            if second.isMultiple(of: 60) {
                learnHintsAgain()
                uploads.expire()
            }
            for session in state.withLock({ Array($0.sessions.values) }) {
                session.tick()
                greet(in: session)
                seeOff(session)
            }
            tickNearby()
            await openWhatHasRoom()
            if configuration.relay != nil, loadClass != state.withLock({ $0.advertisedLoad }) { advertise() }
        }
    }

    /// Notes something that the person who runs the node should know.
    package func warn(_ text: String) {
        logger.warning("\(text)")
        state.withLock { state in
            if !state.warnings.contains(text) { state.warnings.append(text) }
        }
        changes.publish(kinds: ["status"])
    }

    /// Listens for peers, if it does not yet; what may fail about a start fails here.
    package func listen() async throws {
        guard state.withLock({ $0.port }) == 0 else { return }
        let saved = state.withLock { $0.settings.port }.map { Int($0) }
        let port = try await listen(on: configuration.peerPort ?? saved ?? 0)
        try updateSettings { $0.port = UInt16(port) }
        state.withLock { $0.port = port }
        try serveEvents()
        logger.info("listening for peers", metadata: ["port": "\(port)"])
    }

    /// Listens on a port, or on any that is free if that one was not asked for expressly.
    private func listen(on port: Int) async throws -> Int {
        do {
            return try await transport.listen(on: port)
        } catch {
            guard case .portInUse = error, configuration.peerPort == nil else { throw error }
        }
        return try await transport.listen(on: 0)
    }

    /// Changes what is not of one event, on the disk first.
    func updateSettings(_ change: (inout DataFolder.Settings) -> Void) throws {
        try state.withLock { state in
            var settings = state.settings
            change(&settings)
            // So that a start, which changes none, needs no room.
            guard settings != state.settings else { return }
            try folder.save(settings)
            state.settings = settings
        }
    }

    /// Opens the replica, blobs and keys of one event.
    func openSession(_ event: EventID) throws -> EventSession {
        let files = folder.files(of: event)
        let secrets = try files.readSecrets()
        let replica = try Replica(
            path: files.database,
            event: event,
            own: secrets.ownDevice(in: event),
            quota: configuration.replicaQuota,
            ownQuota: configuration.ownQuota,
            clock: { [clock] in clock.now() }
        )
        return try EventSession(
            replica: replica,
            blobs: BlobStore(path: files.blobs, reserve: DiskRoom.reserve),
            secrets: secrets,
            files: files,
            host: self,
            changes: changes,
            clock: clock,
            logger: logger,
            retention: configuration.relay
        )
    }
}
