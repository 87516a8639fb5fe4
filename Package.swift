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

let package = Package(
    name: "mingle",
    dependencies: [
        .package(url: "https://github.com/apple/swift-protobuf", exact: "1.39.0"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    ],
    targets: [
        .systemLibrary(name: "CSodium", providers: [.apt(["libsodium-dev"])]),
        .target(name: "MingleModel"),
        .target(name: "MingleCrypto", dependencies: ["CSodium", "MingleModel"]),
        .target(
            name: "MingleWire",
            dependencies: ["MingleCrypto", "MingleModel", .product(name: "SwiftProtobuf", package: "swift-protobuf")],
            exclude: ["Generated/mingle.proto"]
        ),
        .target(
            name: "MingleReplica",
            dependencies: [
                "MingleCrypto", "MingleModel", "MingleWire", .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        .systemLibrary(name: "CAvahi", providers: [.apt(["libavahi-client-dev"])]),
        .target(name: "MingleDiscovery", dependencies: ["CAvahi", "MingleModel"]),
        .testTarget(name: "MingleDiscoveryTests", dependencies: ["MingleDiscovery"]),
        .testTarget(name: "MingleModelTests", dependencies: ["MingleModel"]),
        .testTarget(name: "MingleCryptoTests", dependencies: ["MingleCrypto", "MingleModel"]),
        .testTarget(
            name: "MingleReplicaTests",
            dependencies: ["MingleReplica", "MingleCrypto", "MingleModel", "MingleWire"]
        ),
    ]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = (target.swiftSettings ?? []) + strict
}
