// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
package import MingleModel

extension Replica {
    /// The same replica as a person sees it whose keys are not at hand: nothing can be written by it.
    ///
    /// - Parameters:
    ///   - person: Nil: somebody who is nobody of the event.
    ///   - onlyOwn: Whether the person sees only records of the person's own.
    package func seen(by person: PersonID?, onlyOwn: Bool = false) -> Replica {
        let nobody = Secret([UInt8](repeating: 0, count: 32))
        return faced(
            by: OwnDevice(
                person: person ?? PersonID(.zero),
                // No device has this name, and who has no device has no journal to write in.
                name: DeviceName(.zero),
                signing: SigningKey(seed: nobody),
                agreement: AgreementKey(secret: nobody),
                isDoor: true,
                seesOnlyOwn: onlyOwn
            )
        )
    }
}
