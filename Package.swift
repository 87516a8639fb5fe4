// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .treatWarning("DeprecatedDeclaration", as: .warning),
]

/// The commit, for `mingle version`.
let commit: [CSetting] =
    Context.gitInformation.map { git in
        [
            .define(
                "MINGLE_COMMIT",
                to: "\"\(git.currentCommit.prefix(9))\(git.hasUncommittedChanges ? "-modified" : "")\""
            )
        ]
    } ?? []

let package = Package(
    name: "mingle",
    dependencies: [
        .package(url: "https://github.com/apple/swift-protobuf", exact: "1.39.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        // Without what reads its settings from files, which takes minutes to compile and is not used.
        .package(
            url: "https://github.com/hummingbird-project/hummingbird",
            exact: "2.28.1",
            traits: ["FullFoundation"]
        ),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", exact: "1.0.2"),
    ],
    targets: [
        .systemLibrary(name: "CSodium", providers: [.apt(["libsodium-dev"])]),
        .target(
            name: "MingleModel",
            dependencies: [.product(name: "OrderedCollections", package: "swift-collections")]
        ),
        .target(name: "MingleCrypto", dependencies: ["CSodium", "MingleModel"]),
        .target(
            name: "MingleWire",
            dependencies: ["MingleCrypto", "MingleModel", .product(name: "SwiftProtobuf", package: "swift-protobuf")],
            exclude: ["Generated/mingle.proto"]
        ),
        .target(
            name: "MingleReplica",
            dependencies: [
                "CPageSums", "MingleCrypto", "MingleModel", "MingleWire",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        .target(
            name: "MingleSync",
            dependencies: [
                "MingleCrypto", "MingleModel", "MingleWire",
                .product(name: "SwiftProtobuf", package: "swift-protobuf"),
            ]
        ),
        .target(
            name: "MingleMedia",
            dependencies: [
                "CZlib", "MingleCrypto", "MingleModel", .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]
        ),
        .target(
            name: "MinglePeering",
            dependencies: [
                "MingleCrypto", "MingleMedia", "MingleModel", "MingleReplica", "MingleSync", "MingleWire",
            ]
        ),
        // The values of the local API, which programs speak to a node.
        .target(name: "MingleAPI", dependencies: ["MingleModel"]),
        // What a person does in an event, over the replica.
        .target(
            name: "MingleEvent",
            dependencies: ["MingleAPI", "MingleCrypto", "MingleMedia", "MingleModel", "MingleReplica", "MingleWire"]
        ),
        .target(
            name: "MingleNode",
            dependencies: [
                "CCommit", "MingleAPI", "MingleCrypto", "MingleDiscovery", "MingleEvent", "MingleMedia", "MingleModel",
                "MinglePeering", "MingleReplica", "MingleSync", "MingleWire",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]
        ),
        .target(name: "CPageSums", linkerSettings: [.linkedLibrary("sqlite3")]),
        .target(name: "CSimulatedDisk", linkerSettings: [.linkedLibrary("sqlite3")]),
        .target(
            name: "MingleSimulator",
            dependencies: [
                "CSimulatedDisk", "MingleCrypto", "MingleMedia", "MingleModel", "MinglePeering", "MingleReplica",
                "MingleSync",
                "MingleWire",
                .product(name: "SwiftProtobuf", package: "swift-protobuf"),
            ]
        ),
        // What the programs print, and how they ask a running node.
        .target(
            name: "MingleCommandLine",
            dependencies: ["MingleModel", .product(name: "SystemPackage", package: "swift-system")]
        ),
        .target(
            name: "MingleClient",
            dependencies: [
                "MingleAPI",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),
        .target(name: "CCommit", cSettings: commit),
        .executableTarget(
            name: "mingle",
            dependencies: [
                "CMalloc", "MingleAPI", "MingleClient", "MingleCommandLine", "MingleModel", "MingleNode",
                "MinglePeering", "MingleWeb",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]
        ),
        .executableTarget(
            name: "mingle-bench",
            dependencies: [
                "CMalloc", "MingleAPI", "MingleClient", "MingleCommandLine", "MingleCrypto", "MingleEvent",
                "MingleMedia", "MingleModel",
                "MingleNode", "MinglePeering", "MingleReplica", "MingleSync", "MingleWire",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ]
        ),
        .executableTarget(
            name: "mingle-simulate",
            dependencies: [
                "MingleCommandLine", "MingleSimulator",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        .systemLibrary(name: "CMalloc"),
        .target(name: "CWebAssets", exclude: ["web"]),
        .systemLibrary(name: "CQREncode", providers: [.apt(["libqrencode-dev"])]),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .target(
            name: "MingleWeb",
            dependencies: [
                "CQREncode", "CWebAssets", "CZlib", "MingleAPI", "MingleCrypto", "MingleEvent", "MingleMedia",
                "MingleModel",
                "MingleNode", "MinglePeering",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]
        ),
        .systemLibrary(name: "CAvahi", providers: [.apt(["libavahi-client-dev"])]),
        .target(name: "MingleDiscovery", dependencies: ["CAvahi", "MingleModel"]),
        .testTarget(
            name: "MingleCommandTests",
            dependencies: [
                "mingle", "mingle-bench", "mingle-simulate", "MingleAPI", "MingleClient", "MingleNode",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),
        .testTarget(name: "MingleAPITests", dependencies: ["MingleAPI", "MingleModel"]),
        .testTarget(name: "MingleCryptoTests", dependencies: ["MingleCrypto", "MingleModel"]),
        .testTarget(name: "MingleDiscoveryTests", dependencies: ["MingleDiscovery"]),
        .testTarget(
            name: "MingleMediaTests",
            dependencies: ["TestSupport", "MingleCrypto", "MingleMedia", "MingleModel"]
        ),
        .testTarget(name: "MingleModelTests", dependencies: ["TestSupport", "MingleModel"]),
        .target(name: "TestSupport", path: "Tests/TestSupport"),
        .target(
            name: "NodeTestSupport",
            dependencies: [
                "MingleAPI", "MingleEvent", "MingleModel", "MingleNode", "MinglePeering", "MingleReplica",
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/NodeTestSupport"
        ),
        .testTarget(
            name: "MingleNodeTests",
            dependencies: [
                "NodeTestSupport", "TestSupport",
                "MingleAPI", "MingleCrypto", "MingleDiscovery", "MingleEvent", "MingleMedia", "MingleModel",
                "MingleNode", "MinglePeering",
                "MingleReplica", "MingleSync", "MingleWire",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "SwiftProtobuf", package: "swift-protobuf"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]
        ),
        .testTarget(
            name: "MingleReplicaTests",
            dependencies: [
                "TestSupport", "MingleCrypto", "MingleMedia", "MingleModel", "MinglePeering", "MingleReplica",
                "MingleSync",
                "MingleWire",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        .testTarget(
            name: "MingleSimulatorTests",
            dependencies: [
                "MingleCrypto", "MingleModel", "MinglePeering", "MingleReplica", "MingleSimulator", "MingleWire",
            ]
        ),
        .testTarget(
            name: "MingleSyncTests",
            dependencies: [
                "TestSupport",
                "MingleCrypto", "MingleModel", "MingleSync", "MingleWire",
                .product(name: "SwiftProtobuf", package: "swift-protobuf"),
            ]
        ),
        .testTarget(
            name: "MingleWebTests",
            dependencies: [
                "NodeTestSupport",
                "MingleAPI", "MingleCrypto", "MingleEvent", "MingleMedia", "MingleModel", "MingleNode",
                "MinglePeering", "MingleReplica", "MingleSync", "MingleWeb",
                "MingleWire",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        .testTarget(
            name: "MingleWireTests",
            dependencies: ["TestSupport", "MingleCrypto", "MingleModel", "MingleWire"]
        ),
    ]
)

// Half of a build is tests. MINGLE_TESTS names the test targets to build where some of them are enough, as under a
// sanitizer; the others are left out.
if let names = Context.environment["MINGLE_TESTS"]?.split(separator: " ").map(String.init), !names.isEmpty {
    let tests = package.targets.filter { $0.type == .test }.map(\.name)
    // Tests that are left out by mistake would pass.
    for name in names where !tests.contains(name) { fatalError("MINGLE_TESTS: there are no tests \(name)") }
    package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}

/// The modules in which tests compute for minutes, which a debug build optimises.
let computing: Set = [
    "MingleCrypto", "MingleMedia", "MingleModel", "MinglePeering", "MingleReplica", "MingleSimulator", "MingleSync",
    "MingleWire",
]

for target in package.targets where target.type != .system {
    target.swiftSettings = (target.swiftSettings ?? []) + strict
    if computing.contains(target.name) {
        target.swiftSettings?.append(.unsafeFlags(["-O"], .when(configuration: .debug)))
    }
    // To optimise tests as well takes longer than all of them.
    if target.type == .test { target.swiftSettings?.append(.unsafeFlags(["-Onone"], .when(configuration: .release))) }
}
