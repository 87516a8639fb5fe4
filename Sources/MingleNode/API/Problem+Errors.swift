// SPDX-License-Identifier: Apache-2.0

package import MingleAPI
import MingleMedia
import MinglePeering
import MingleReplica
import SystemPackage

extension API.Problem {
    /// Whether a failure is one of those that a node foresees; any other is a defect of it.
    package static func foresees(_ error: any Error) -> Bool {
        error is API.Problem || error is ReplicaError || Name(error) != .internal
    }

    /// What a failure below means to the person who asked.
    package init(_ error: any Error) {
        switch error {
        case let problem as API.Problem: self = problem
        default: self.init(Name(error), "\(error)")
        }
    }
}

extension API.Problem.Name {
    /// What kind of problem a failure below is.
    package init(_ error: any Error) {
        switch error {
        case ReplicaError.notFound, ReplicaError.nothingToRescue: self = .notFound
        case ReplicaError.notYours, ReplicaError.notAtYourLevel, ReplicaError.declined,
            ReplicaError.waiting, ReplicaError.removed, ReplicaError.left,
            ReplicaError.deviceRetired, ReplicaError.decidedAbove,
            ReplicaError.notInvited:
            self = .notAllowed
        case ReplicaError.noSpace, BlobStoreError.noSpace, BlobStoreError.noRoom, ImportError.noSpace, Errno.noSpace,
            Errno.diskQuotaExceeded:
            self = .noSpace
        case ReplicaError.locked, ReplicaError.keyOutdated, ReplicaError.keyUsedElsewhere, ReplicaError.closed:
            self = .unavailable
        case ImportError.tooLarge: self = .tooLarge
        case ImportError.toolMissing: self = .unavailable
        case is ImportError: self = .notAPicture
        case ReplicaError.invalid: self = .badRequest
        // A person whose limit is reached for more than an hour has to delete something.
        case ReplicaError.quotaReached, ReplicaError.keyQuotaReached, ReplicaError.rateReached(_, minutesLeft: nil):
            self = .tooLarge
        case ReplicaError.rateReached: self = .tooMany
        case ReplicaError.tooManyMuted, DataFolderError.damagedKeys, SecretsError.noIdentity: self = .conflict
        case let failure as FileFailure where failure.reason == .permissionDenied: self = .notAllowed
        case let failure as FileFailure: self.init(failure.reason)
        default: self = .internal
        }
    }
}
