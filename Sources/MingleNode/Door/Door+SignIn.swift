// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MingleAPI
import MingleCrypto
import MingleEvent
import MingleModel
package import MinglePeering
import MingleReplica
import Synchronization

/// How a guest goes on with another phone, or with a node of the guest's own.
extension Door {
    /// Makes a code by which the guest takes part with another phone.
    package func makeCode(_ browser: Browser) throws -> API.SignInCode {
        guard let keys = try? guests[browser]?.open(by: browser) else { throw API.Problem.noGuest }
        let session = try session()
        try explaining { try access(session).requireIn(keys.person) }
        let code = session.signInCodes.withLock { $0.make(for: keys, at: node.clock.uptime(), randomness) }
        let life = SignInCodes.life.components.seconds * 1000
        return API.SignInCode(code: code, expires: Date(milliseconds: node.clock.now().milliseconds + life))
    }

    /// Lets a browser go on as the guest who made a code.
    ///
    /// - Returns: nil for a code that is not good.
    package func signIn(_ browser: Browser, by code: String) throws -> API.Person? {
        let session = try session()
        let isGuest = try making.withLock { _ in
            guard guests[browser] == nil else { throw API.Problem.someoneElse }
            guard let keys = session.signInCodes.withLock({ $0.take(code, at: node.clock.uptime()) }) else {
                return false
            }
            let access = access(session)
            try explaining { try access.requireIn(keys.person) }
            if let guest = access.store(keys, by: browser, randomness).stored { try keep(guest, of: browser, session) }
            return true
        }
        return isGuest ? try reader(browser).person() : nil
    }

    /// Makes a link by which a node of the guest's own becomes a device of the guest.
    package func makeDeviceLink(_ browser: Browser, from address: String) throws -> API.DeviceLink {
        guard guests[browser] != nil else { throw API.Problem.noGuest }
        let part = try writer(browser, from: address)
        guard let keys = try guests[browser]?.open(by: browser) else { throw API.Problem.noGuest }
        let session = part.session
        let offer = DeviceOffer(seed: randomness.secret(), at: node.clock.uptime())
        let secrets = keys.secrets(at: session.secrets.withLock { $0 })
        session.guestOffers.withLock { offers in
            offers = offers.filter { $0.value.offer.isOpen(at: node.clock.uptime()) }
            offers[keys.person] = GuestOffer(offer: offer, secrets: secrets, replica: part.replica)
        }
        return node.show(offer, of: keys.person, in: session)
    }
}
