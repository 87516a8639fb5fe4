// SPDX-License-Identifier: Apache-2.0

package import MingleModel

extension Replica {
    /// Refuses what would count for nothing with others: of somebody who is out or was not let in yet, or who may not
    /// write records of a kind.
    ///
    /// - Throws: `ReplicaError`: `.deviceRetired`, `.left`, `.declined`, `.removed`, `.waiting`, `.locked` or
    ///   `.notAtYourLevel`.
    package func requireMayWrite(_ kind: Kind) throws {
        if try isRetired(own.name) { throw ReplicaError.deviceRetired }
        guard let level = try level(of: own.person) else {
            if try hasLeft(own.person) { throw ReplicaError.left }
            if let removal = try removal(of: own.person) {
                throw removal.person.isDeclined ? ReplicaError.declined : .removed
            }
            throw try hasKey() ? ReplicaError.waiting : .locked
        }
        if level < kind.writers { throw ReplicaError.notAtYourLevel(level) }
    }
}
