// SPDX-License-Identifier: Apache-2.0

import MingleDiscovery
import Testing

struct ResolutionTests {
    private func endpoint(_ address: [UInt8], port: UInt16 = 1, on sighting: Sighting = .v4, text: [[UInt8]] = [])
        -> Endpoint?
    {
        Resolution(address: address, addressText: "text", port: port, text: text)
            .endpoint(name: "name", event: "party", sighting: sighting)
    }

    private func v6(_ first: [UInt8], last: UInt8 = 1) -> [UInt8] {
        first + [UInt8](repeating: 0, count: 15 - first.count) + [last]
    }

    @Test func `addresses that no node has are refused`() {
        for address in [[127, 0, 0, 1], [0, 0, 0, 0], [224, 0, 0, 251], [255, 255, 255, 255], [], [10, 0, 0]] {
            #expect(endpoint(address.map { UInt8($0) }) == nil)
        }
        for address in [v6([]), v6([], last: 0), v6([0xff, 2]), v6([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127])] {
            #expect(endpoint(address, on: .v6) == nil)
        }
        #expect(endpoint([10, 0, 0, 1], port: 0) == nil)
    }

    @Test func `addresses of the local network are accepted`() {
        #expect(endpoint([10, 0, 0, 1])?.host == "text")
        #expect(endpoint([169, 254, 7, 7])?.host == "text")
        #expect(endpoint(v6([0xfd, 1]), on: .v6)?.host == "text")
        #expect(endpoint([127, 0, 0, 1], on: .loopback)?.host == "text")
    }

    @Test func `a link-local address carries its interface`() {
        #expect(endpoint(v6([0xfe, 0x80]), on: .v6)?.host == "text%2")
    }

    @Test func `text is read as pairs, and what is not is left out`() {
        let strings = ["v=1", "LOAD=a=b", "flag", "=none", "v=2", ""].map { Array($0.utf8) } + [[0xff, 0x3d, 0x31]]
        #expect(endpoint([10, 0, 0, 1], text: strings)?.text == ["v": "1", "load": "a=b", "flag": ""])
    }

    @Test func `text beyond its limits is left out`() {
        let long = Array("k=".utf8) + [UInt8](repeating: 97, count: 254)
        #expect(endpoint([10, 0, 0, 1], text: [long])?.text == [:])
        let many = (0..<5_000).map { Array("k\($0)=v".utf8) }
        let kept = endpoint([10, 0, 0, 1], text: many)?.text.count ?? 0
        #expect((100...300).contains(kept))
    }
}
