// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

@testable import mingle

/// What the service manager hears.
struct ServiceManagerTests {
    /// A socket with an address, as systemd makes it.
    private func listen(at name: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(name.utf8)
        let isAbstract = name.hasPrefix("@")
        if isAbstract { bytes[0] = 0 }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count + (isAbstract ? 0 : 1))
        let bound = unsafe withUnsafeBytes(of: address) { raw in
            unsafe bind(descriptor, raw.baseAddress?.assumingMemoryBound(to: sockaddr.self), length)
        }
        try #require(bound == 0)
        // A datagram on a Unix socket is there when it was sent.
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        return descriptor
    }

    private func received(_ descriptor: Int32) -> String? {
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
        return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
    }

    @Test(arguments: ["@mingle-test-\(UUID())", "/tmp/mingle-test-\(UUID())"])
    func `the service manager hears when a service is ready and when it stops`(name: String) throws {
        let socket = try listen(at: name)
        defer {
            close(socket)
            unsafe unlink(name)
        }
        let manager = ServiceManager(socket: name)
        manager.noteReady("Relaying")
        #expect(received(socket) == "READY=1\nSTATUS=Relaying")
        manager.noteStopping()
        #expect(received(socket) == "STOPPING=1\nSTATUS=Stopping")
    }

    @Test(arguments: [nil, "", "relative", "@\(String(repeating: "x", count: 200))", "/nowhere/socket"])
    func `without a service manager that can be reached nothing happens`(name: String?) throws {
        let other = "/tmp/mingle-test-\(UUID())"
        let socket = try listen(at: other)
        defer {
            close(socket)
            unsafe unlink(other)
        }
        let manager = ServiceManager(socket: name)
        manager.noteReady("Relaying")
        manager.noteStopping()
        #expect(received(socket) == nil)
    }
}
