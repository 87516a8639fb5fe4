// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
    import MingleNode
    import Testing

    @Suite(.serialized, .timeLimit(.minutes(5)))
    struct TransportDescriptorTests {
        @Test func `the listener survives a time without file descriptors`() async {
            // The limit is the whole process's, so the trial has a process of its own.
            await #expect(processExitsWith: .success) {
                let node = try TransportNode()
                let port = try await node.transport.listen(on: 0)
                let client = BlockingClient()
                let hoard = BlockingClient.takeAllDescriptors()
                client.connect(port: port)
                client.send([1, 2, 3])
                // Nobody can accept: the garbage is not even refused.
                let during = client.receive(withinMilliseconds: 300)
                for descriptor in hoard { close(descriptor) }
                let after = client.receive(withinMilliseconds: 10_000)
                exit(during == .nothing && after == .ended ? EXIT_SUCCESS : EXIT_FAILURE)
            }
        }
    }

    /// A TCP client that needs no more descriptors once it is made.
    struct BlockingClient {
        enum Received {
            case nothing, ended, bytes
        }

        private let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)

        /// Lowers the limit and takes what is left of it.
        static func takeAllDescriptors() -> [Int32] {
            var limit = rlimit(rlim_cur: 256, rlim_max: 256)
            _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            var taken: [Int32] = []
            while case let descriptor = dup(0), descriptor >= 0 { taken.append(descriptor) }
            return taken
        }

        func connect(port: Int) {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = UInt16(port).bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            unsafe withUnsafeBytes(of: &address) { bytes in
                guard let start = bytes.baseAddress else { return }
                let pointer = unsafe start.assumingMemoryBound(to: sockaddr.self)
                _ = unsafe Glibc.connect(descriptor, pointer, socklen_t(bytes.count))
            }
        }

        func send(_ bytes: [UInt8]) { _ = unsafe Glibc.send(descriptor, bytes, bytes.count, 0) }

        func receive(withinMilliseconds limit: Int32) -> Received {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&waiting, 1, limit) > 0 else { return .nothing }
            var byte: UInt8 = 0
            return unsafe recv(descriptor, &byte, 1, 0) > 0 ? .bytes : .ended
        }
    }
#endif
