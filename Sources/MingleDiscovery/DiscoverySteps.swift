// SPDX-License-Identifier: Apache-2.0

extension DiscoveryPlan {
    /// What happens to a plan.
    package enum Input: Sendable, Equatable {
        /// ``nextWake`` has come; earlier or more often does no harm.
        case wake
        /// Our side wants exactly these published.
        case publish([Advertisement])
        /// Our side met nobody of ours behind this name.
        case reject(String)
        /// The bus is there and the daemon is not; Avahi's library waits for it.
        case connecting
        /// The daemon is there, but has no host name yet or again.
        case registering
        /// The daemon works.
        case running
        /// The connection is gone with all that was made through it, or could not be made.
        case failed(Failure)
        /// The network said something.
        case network(Report)
    }

    /// What the network, or the daemon on its behalf, says.
    package enum Report: Sendable, Equatable {
        /// A name is announced.
        case seen(String, on: Sighting)
        /// A name is not announced any more.
        case gone(String, on: Sighting)
        /// A resolution ended, with an answer or without.
        case resolved(String, on: Sighting, to: Resolution?)
        /// Our service is on the network.
        case established(String)
        /// Our service's name is somebody else's.
        case collided(String)
        /// Our service could not be published.
        case refused(String)
    }

    /// What a plan wants done.
    package enum Action: Sendable, Equatable {
        /// Drop the connection with all that was made through it, and connect anew.
        case connect
        /// Begin to look for names.
        case browse
        /// Ask where a name is.
        case resolve(String, on: Sighting)
        /// Free what a resolution holds; the name may have none.
        case stopResolving(String)
        /// Publish a service of its own group.
        case publish(Advertisement)
        /// Publish the changed text of a service.
        case update(Advertisement)
        /// Free a service's group; the name may have none.
        case withdraw(String)
        /// Tell our side.
        case tell(DiscoveryEvent)
    }

    /// Why discovery does not work.
    package enum Failure: Sendable, Equatable {
        /// There is no system bus.
        case noBus
        /// There is no daemon.
        case noDaemon
        /// The daemon or the bus went away.
        case disconnected
        /// Anything else, in Avahi's words.
        case other(String)

        /// What a person can do about it.
        package var reason: String {
            switch self {
            case .noBus:
                "The system message bus (D-Bus) is not running, and Avahi cannot be reached without it. "
                    + "Start both: sudo systemctl start dbus avahi-daemon"
            case .noDaemon, .disconnected:
                "avahi-daemon is not running, so nearby nodes cannot be found. "
                    + "Start it: sudo systemctl start avahi-daemon (install it: sudo apt install avahi-daemon)"
            case .other(let message):
                "Avahi does not work (\(message)). Check its state: systemctl status avahi-daemon"
            }
        }
    }
}
