// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import MingleAPI
import MingleEvent

/// Hiding what should not be seen, who did, and what people report.
struct ModerationRoutes {
    let parts: Parts

    func add(to calls: CallRouter) {
        calls.on(.get, "hidden", "Lists what is hidden.") { request, context in
            try parts.service(request, context).hidden()
        }
        calls.on(.get, "hidden/log", "Lists who hid and showed again what, and why.") { request, context in
            try parts.service(request, context).hidingLog()
        }
        calls.done(.put, "hidden/:id", "Hides a record from all but its author and moderators.") {
            (body: API.Envelope.Reason, request, context) in
            let target = try context.record
            let reason = try RequestValidation.reason(body.reason ?? "")
            try await parts.write(request, context) { try $0.hide(target, because: reason) }
        }
        calls.done(.delete, "hidden/:id", "Shows a record again.") { request, context in
            let target = try context.record
            try await parts.write(request, context) { try $0.hide(target, because: nil) }
        }
        calls.on(.get, "reports", "Lists what was reported.") { request, context in
            try parts.service(request, context).reported()
        }
        calls.on(.get, "reports/:id", "Tells who would read a report about a record, and when reports hide it.") {
            request,
            context in
            try parts.service(request, context).reportReaders(of: context.record)
        }
        calls.on(.put, "reports/:id", "Reports a record to those who moderate, and tells who reads it.") {
            (new: API.NewReport, request, context) in
            let target = try context.record
            let reason = try RequestValidation.report(new.reason)
            let text = try RequestValidation.remark(new.text ?? "")
            return try await parts.write(request, context) { try $0.report(target, reason, text) }
        }
    }
}
