// SPDX-License-Identifier: Apache-2.0

import CAvahi

// What Avahi calls: on its own thread, with pointers that are good only until the return.

private func connection(_ userData: UnsafeMutableRawPointer?) -> AvahiConnection? {
    unsafe userData.map { unsafe Unmanaged<AvahiConnection>.fromOpaque($0).takeUnretainedValue() }
}

private func sighting(_ interface: AvahiIfIndex, _ protocolNumber: AvahiProtocol) -> Sighting {
    Sighting(interface: interface, family: protocolNumber == Int32(AVAHI_PROTO_INET) ? .v4 : .v6)
}

private func string(_ text: UnsafePointer<CChar>?) -> String? {
    unsafe text.flatMap { unsafe String(validatingCString: $0) }
}

let hearClient: AvahiClientCallback = { _, state, userData in
    unsafe connection(userData)?.hear(state)
}

let hearBrowser: AvahiServiceBrowserCallback = {
    _,
    interface,
    protocolNumber,
    event,
    name,
    _,
    _,
    flags,
    userData in
    unsafe connection(userData)?.hear(
        event,
        name: string(name),
        on: sighting(interface, protocolNumber),
        isOwn: flags.rawValue & AVAHI_LOOKUP_RESULT_OUR_OWN.rawValue != 0
    )
}

let hearGroup: AvahiEntryGroupCallback = { group, state, userData in
    guard let group = unsafe group else { return }
    unsafe connection(userData)?.hear(state, of: group)
}

let hearResolver: AvahiServiceResolverCallback = {
    _,
    interface,
    protocolNumber,
    event,
    name,
    _,
    _,
    _,
    address,
    port,
    text,
    _,
    userData in
    guard let name = unsafe string(name) else { return }
    let answer = unsafe event == AVAHI_RESOLVER_FOUND ? resolution(address, port, text) : nil
    unsafe connection(userData)?.hear(name, on: sighting(interface, protocolNumber), answer: answer)
}

private func resolution(
    _ address: UnsafePointer<AvahiAddress>?,
    _ port: UInt16,
    _ text: UnsafeMutablePointer<AvahiStringList>?
) -> Resolution? {
    guard let address = unsafe address, let bytes = unsafe mingle_address_bytes(address) else { return nil }
    let count = unsafe address.pointee.proto == Int32(AVAHI_PROTO_INET) ? 4 : 16
    var characters = [CChar](repeating: 0, count: Int(AVAHI_ADDRESS_STR_MAX) + 1)
    let written = unsafe avahi_address_snprint(&characters, characters.count, address)
    guard let addressText = unsafe string(written) else { return nil }
    return Resolution(
        address: unsafe Array(UnsafeBufferPointer(start: bytes, count: count)),
        addressText: addressText,
        port: port,
        text: unsafe strings(text)
    )
}

private func strings(_ first: UnsafeMutablePointer<AvahiStringList>?) -> [[UInt8]] {
    var strings: [[UInt8]] = []
    var next = unsafe first
    while let list = unsafe next {
        let buffer = unsafe UnsafeBufferPointer(
            start: avahi_string_list_get_text(list),
            count: avahi_string_list_get_size(list)
        )
        strings.append(unsafe Array(buffer))
        unsafe next = unsafe avahi_string_list_get_next(list)
    }
    return strings
}
