// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One decoder that sees foreign bytes.
protocol FuzzTarget: SendableMetatype {
    /// Inputs that the product's own encoders made, by which the fuzzer begins.
    static var seeds: [[UInt8]] { get throws }

    /// Decodes any bytes; ends the process if what comes of them breaks a promise.
    static func run(_ input: inout FuzzInput) throws
}

/// All targets, by the names that `scripts/fuzz` takes.
private let targets: [String: any FuzzTarget.Type] = [
    "blob": BlobTarget.self,
    "discovery": DiscoveryTarget.self,
    "frame": FrameTarget.self,
    "handshake": HandshakeTarget.self,
    "header": HeaderTarget.self,
    "link": LinkTarget.self,
    "payload": PayloadTarget.self,
    "picture": PictureTarget.self,
    "request": RequestTarget.self,
    "sync": SyncTarget.self,
]

/// The target that the process is named after: one program serves all, under a link for each.
private let chosen: any FuzzTarget.Type = {
    let name = URL(filePath: CommandLine.arguments[0]).lastPathComponent
    guard let target = targets[name] else { fatalError("there is no target \(name), but \(targets.keys.sorted())") }
    return target
}()

/// Ends the process, which the fuzzer takes for a crash, unless a promise is kept.
func require(_ isKept: Bool, _ promise: @autoclosure () -> String) {
    if !isKept { fatalError("broken: \(promise())") }
}

/// Called by libFuzzer for every input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = FuzzInput(Array(UnsafeBufferPointer(start: start, count: count)))
    // That bytes are refused is what mostly happens.
    try? chosen.run(&input)
    return 0
}

/// Called by libFuzzer once; writes the seeds and ends, if MINGLE_FUZZ_SEEDS names a folder for them.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutableRawPointer, _ arguments: UnsafeMutableRawPointer) -> CInt {
    guard let folder = ProcessInfo.processInfo.environment["MINGLE_FUZZ_SEEDS"] else { return 0 }
    do {
        for (number, seed) in try chosen.seeds.enumerated() {
            try Data(seed).write(to: URL(filePath: "\(folder)/seed-\(number)"))
        }
    } catch { fatalError("seeds: \(error)") }
    exit(0)
}
