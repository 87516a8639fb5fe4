// SPDX-License-Identifier: Apache-2.0

import CAvahi

/// One connection to the daemon after another, and all that is made through them: carries out, decides nothing.
///
/// Only for Avahi's thread, and never from within Avahi's callbacks; those put what they hear in the mailbox.
@safe
final class AvahiConnection {
    private let poll: UnsafePointer<AvahiPoll>?
    private let serviceType: String
    private let mailbox: AvahiMailbox
    private var client: OpaquePointer?
    private var resolvers: [String: OpaquePointer] = unsafe [:]
    private var groups: [String: OpaquePointer] = unsafe [:]

    init(poll: UnsafePointer<AvahiPoll>?, serviceType: String, mailbox: AvahiMailbox) {
        unsafe self.poll = unsafe poll
        self.serviceType = serviceType
        self.mailbox = mailbox
    }

    func perform(_ action: DiscoveryPlan.Action) {
        switch action {
        case .connect: connect()
        case .browse: browse()
        case .resolve(let name, let sighting): resolve(name, on: sighting)
        case .stopResolving(let name): stopResolving(name)
        case .publish(let advertisement): publish(advertisement)
        case .update(let advertisement): update(advertisement)
        case .withdraw(let name): withdraw(name)
        case .tell: break
        }
    }

    /// Frees everything; the daemon says goodbye for our services.
    func close() {
        // Freeing the client frees what was made through it.
        unsafe resolvers = unsafe [:]
        unsafe groups = unsafe [:]
        if let client = unsafe client { unsafe avahi_client_free(client) }
        unsafe client = nil
    }
}

// MARK: - What is asked of the daemon

extension AvahiConnection {
    private func connect() {
        close()
        // What the mailbox still holds came through the old connection.
        _ = mailbox.take()
        var error: Int32 = 0
        unsafe client = unsafe avahi_client_new(poll, AVAHI_CLIENT_NO_FAIL, hearClient, userData, &error)
        guard unsafe client == nil else { return }
        let isBusMissing = [AVAHI_ERR_NO_DAEMON, AVAHI_ERR_DBUS_ERROR].contains { $0 == Int(error) }
        mailbox.put(.failed(isBusMissing ? .noBus : .other(Self.words(for: error))))
    }

    private func browse() {
        guard let client = unsafe client else { return }
        // It lives as long as its client.
        let browser = unsafe avahi_service_browser_new(
            client,
            Int32(AVAHI_IF_UNSPEC),
            Int32(AVAHI_PROTO_UNSPEC),
            serviceType,
            nil,
            AvahiLookupFlags(0),
            hearBrowser,
            userData
        )
        if unsafe browser == nil { mailbox.put(.failed(failure)) }
    }

    private func resolve(_ name: String, on sighting: Sighting) {
        let family = sighting.family == .v4 ? Int32(AVAHI_PROTO_INET) : Int32(AVAHI_PROTO_INET6)
        let resolver = unsafe client.flatMap {
            unsafe avahi_service_resolver_new(
                $0,
                sighting.interface,
                family,
                name,
                serviceType,
                nil,
                family,
                AvahiLookupFlags(0),
                hearResolver,
                userData
            )
        }
        unsafe resolvers[name] = unsafe resolver
        if unsafe resolver == nil { mailbox.put(.network(.resolved(name, on: sighting, to: nil))) }
    }

    private func stopResolving(_ name: String) {
        guard let resolver = unsafe resolvers.removeValue(forKey: name) else { return }
        _ = unsafe avahi_service_resolver_free(resolver)
    }

    private func withdraw(_ name: String) {
        guard let group = unsafe groups.removeValue(forKey: name) else { return }
        _ = unsafe avahi_entry_group_free(group)
    }

    // A group of its own for each service, so that a collision says which.
    private func publish(_ advertisement: Advertisement) {
        guard let client = unsafe client, let group = unsafe avahi_entry_group_new(client, hearGroup, userData) else {
            return mailbox.put(.network(.refused(advertisement.name)))
        }
        unsafe groups[advertisement.name] = unsafe group
        let text = unsafe Self.list(advertisement.text)
        defer { unsafe avahi_string_list_free(text) }
        var result = unsafe avahi_entry_group_add_service_strlst(
            group,
            Int32(AVAHI_IF_UNSPEC),
            Int32(AVAHI_PROTO_UNSPEC),
            // Avahi's cookie would tell strangers which names belong to one node.
            AVAHI_PUBLISH_NO_COOKIE,
            advertisement.name,
            serviceType,
            nil,
            nil,
            advertisement.port,
            text
        )
        if result == Int32(AVAHI_OK) { result = unsafe avahi_entry_group_commit(group) }
        guard result != Int32(AVAHI_OK) else { return }
        let isTaken = result == Int32(AVAHI_ERR_COLLISION)
        mailbox.put(.network(isTaken ? .collided(advertisement.name) : .refused(advertisement.name)))
    }

    private func update(_ advertisement: Advertisement) {
        guard let group = unsafe groups[advertisement.name] else { return }
        let text = unsafe Self.list(advertisement.text)
        defer { unsafe avahi_string_list_free(text) }
        let result = unsafe avahi_entry_group_update_service_txt_strlst(
            group,
            Int32(AVAHI_IF_UNSPEC),
            Int32(AVAHI_PROTO_UNSPEC),
            AVAHI_PUBLISH_NO_COOKIE,
            advertisement.name,
            serviceType,
            nil,
            text
        )
        if result != Int32(AVAHI_OK) { mailbox.put(.network(.refused(advertisement.name))) }
    }

    private var userData: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

    private var failure: DiscoveryPlan.Failure {
        guard let client = unsafe client else { return .disconnected }
        let error = unsafe avahi_client_errno(client)
        return error == Int32(AVAHI_ERR_DISCONNECTED) ? .disconnected : .other(Self.words(for: error))
    }

    private static func words(for error: Int32) -> String {
        unsafe avahi_strerror(error).map { unsafe String(cString: $0) } ?? "error \(error)"
    }

    // The list is built from its end.
    private static func list(_ text: [String: String]) -> UnsafeMutablePointer<AvahiStringList>? {
        unsafe TextRecord.write(text).reversed().reduce(nil) {
            unsafe avahi_string_list_add_arbitrary($0, $1, $1.count)
        }
    }
}

// MARK: - What the daemon says

extension AvahiConnection {
    func hear(_ state: AvahiClientState) {
        switch state {
        case AVAHI_CLIENT_CONNECTING: mailbox.put(.connecting)
        case AVAHI_CLIENT_S_RUNNING: mailbox.put(.running)
        case AVAHI_CLIENT_FAILURE: mailbox.put(.failed(failure))
        default: mailbox.put(.registering)
        }
    }

    func hear(_ event: AvahiBrowserEvent, name: String?, on sighting: Sighting, isOwn: Bool) {
        switch event {
        case AVAHI_BROWSER_NEW: if let name, !isOwn { mailbox.put(.network(.seen(name, on: sighting))) }
        case AVAHI_BROWSER_REMOVE: if let name { mailbox.put(.network(.gone(name, on: sighting))) }
        case AVAHI_BROWSER_FAILURE: mailbox.put(.failed(failure))
        default: break
        }
    }

    func hear(_ name: String, on sighting: Sighting, answer: Resolution?) {
        mailbox.put(.network(.resolved(name, on: sighting, to: answer)))
    }

    func hear(_ state: AvahiEntryGroupState, of group: OpaquePointer) {
        guard let name = unsafe groups.first(where: { unsafe $0.value == group })?.key else { return }
        switch state {
        case AVAHI_ENTRY_GROUP_ESTABLISHED: mailbox.put(.network(.established(name)))
        case AVAHI_ENTRY_GROUP_COLLISION: mailbox.put(.network(.collided(name)))
        case AVAHI_ENTRY_GROUP_FAILURE: mailbox.put(.network(.refused(name)))
        default: break
        }
    }
}
