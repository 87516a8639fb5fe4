// SPDX-License-Identifier: Apache-2.0

import MingleAPI
import Testing

@testable import MingleNode

/// What the doctor says about the machine.
struct DoctorTests {
    @Test(arguments: [
        ([], [], "fail", "no address"), (["192.0.2.1:4782"], [], "pass", "192.0.2.1:4782"),
        (["192.0.2.1:4782"], ["fe80::1%eth0"], "pass", "192.0.2.1:4782"),
        ([], ["fe80::1%eth0"], "pass", "fe80::1%eth0"),
    ])
    func `a machine with IPv6 addresses alone is on a network`(
        hints: [String],
        version6: [String],
        status: String,
        words: String
    ) {
        let check = Node.addressCheck(hints, version6: version6)
        #expect(check.status == status && check.detail.contains(words))
    }
}
