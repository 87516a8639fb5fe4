// SPDX-License-Identifier: Apache-2.0

import Glibc

/// An open file, read and written at offsets; it closes when it goes out of scope.
struct File: ~Copyable {
    /// What a file is opened for.
    enum Purpose {
        /// Reading a file that exists.
        case reading
        /// Reading and writing a file that exists.
        case updating
        /// Writing a file that must not exist yet, with mode 0600.
        case creating

        fileprivate var flags: Int32 {
            switch self {
            case .reading: O_RDONLY | O_CLOEXEC
            case .updating: O_RDWR | O_CLOEXEC
            case .creating: O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC
            }
        }
    }

    private let descriptor: Int32
    private let path: String

    /// Opens `path`, or throws ``BlobStoreError``.
    init(_ path: String, for purpose: Purpose) throws {
        var descriptor: Int32
        repeat {
            descriptor = unsafe open(path, purpose.flags, 0o600)
        } while descriptor < 0 && errno == EINTR
        guard descriptor >= 0 else { throw Self.failure("open", path) }
        self.descriptor = descriptor
        self.path = path
    }

    deinit { _ = close(descriptor) }

    /// Bytes of the file.
    var length: Int64 {
        get throws {
            var status = stat()
            guard unsafe fstat(descriptor, &status) == 0 else { throw Self.failure("inspect", path) }
            return Int64(status.st_size)
        }
    }

    /// Reads up to `count` bytes at `offset`; fewer only where the file ends.
    func read(upTo count: Int, at offset: Int64) throws -> [UInt8] {
        var failed = false
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count, let start = buffer.baseAddress {
                let got = unsafe pread(descriptor, start + filled, count - filled, off_t(offset) + off_t(filled))
                if got < 0 && errno == EINTR { continue }
                failed = got < 0
                if got <= 0 { return }
                filled += got
            }
        }
        if failed { throw Self.failure("read", path) }
        return bytes
    }

    /// Writes all of `bytes` at `offset`.
    func write(_ bytes: [UInt8], at offset: Int64) throws {
        var done = 0
        while done < bytes.count {
            let wrote = unsafe bytes.withUnsafeBufferPointer { buffer in
                guard let start = buffer.baseAddress else { return 0 }
                return unsafe pwrite(descriptor, start + done, buffer.count - done, off_t(offset) + off_t(done))
            }
            if wrote < 0 && errno == EINTR { continue }
            guard wrote > 0 else { throw Self.failure("write", path) }
            done += wrote
        }
    }

    /// Makes the file `length` bytes long; what is not written takes no room, where the file system can do that.
    func resize(_ length: Int64) throws {
        guard ftruncate(descriptor, off_t(length)) == 0 else { throw Self.failure("resize", path) }
    }

    /// Bytes that this process may still write where `path` is; nil if the system does not say.
    static func freeBytes(at path: String) -> Int64? {
        var status = statvfs()
        guard unsafe statvfs(path, &status) == 0 else { return nil }
        let (bytes, overflows) = Int64(clamping: status.f_bavail).multipliedReportingOverflow(
            by: Int64(clamping: status.f_frsize)
        )
        return overflows ? .max : bytes
    }

    /// Asks the system to begin bringing bytes to the disk, so that ``synchronize()`` has less to wait for.
    ///
    /// It promises nothing, hence its failures do not matter.
    func beginSynchronizing(_ count: Int, at offset: Int64) {
        // Linux begins to write dirty pages when it is told that they will not be needed; sync_file_range, which says
        // it outright, is hidden from Swift.
        _ = posix_fadvise(descriptor, off_t(offset), off_t(count), POSIX_FADV_DONTNEED)
    }

    /// Returns when what was written would survive a power cut.
    func synchronize() throws {
        guard fdatasync(descriptor) == 0 else { throw Self.failure("synchronize", path) }
    }

    /// Gives `path` the name `other` in one step, replacing what had it.
    static func rename(_ path: String, to other: String) throws {
        guard unsafe Glibc.rename(path, other) == 0 else { throw failure("rename", path) }
    }

    /// Removes `path`; false if there was none.
    @discardableResult
    static func remove(_ path: String) throws -> Bool {
        if unsafe unlink(path) == 0 { return true }
        if errno == ENOENT { return false }
        throw failure("remove", path)
    }

    /// Whether this process may run the program at `path`.
    static func isExecutable(_ path: String) -> Bool { unsafe access(path, X_OK) == 0 }

    /// What the system calls an error.
    static func message(for code: Int32) -> String {
        unsafe strerror(code).map { text in unsafe String(cString: text) } ?? "error \(code)"
    }

    private static func failure(_ operation: String, _ path: String, code: Int32 = errno) -> BlobStoreError {
        if code == ENOSPC || code == EDQUOT { return .noSpace(path: path) }
        return .system(operation: operation, path: path, code: code)
    }
}
