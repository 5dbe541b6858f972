//! Windows' error codes as Linux numbers, which results contain.
//!
//! Only codes of files, devices and sockets are here; all others become EIO, a failure without a
//! number. It is a table and not a system call, so that it is tested wherever Fathom is built.

/// Codes of `winerror.h`, and the corresponding Linux numbers.
const SAME: [(u32, i32); 78] = [
    (1, 38),      // ERROR_INVALID_FUNCTION: ENOSYS
    (2, 2),       // ERROR_FILE_NOT_FOUND: ENOENT
    (3, 2),       // ERROR_PATH_NOT_FOUND: ENOENT
    (4, 24),      // ERROR_TOO_MANY_OPEN_FILES: EMFILE
    (5, 13),      // ERROR_ACCESS_DENIED: EACCES
    (6, 9),       // ERROR_INVALID_HANDLE: EBADF
    (8, 12),      // ERROR_NOT_ENOUGH_MEMORY: ENOMEM
    (12, 13),     // ERROR_INVALID_ACCESS: EACCES
    (14, 12),     // ERROR_OUTOFMEMORY: ENOMEM
    (15, 19),     // ERROR_INVALID_DRIVE: ENODEV
    (17, 18),     // ERROR_NOT_SAME_DEVICE: EXDEV
    (19, 30),     // ERROR_WRITE_PROTECT: EROFS
    (20, 19),     // ERROR_BAD_UNIT: ENODEV
    (21, 123),    // ERROR_NOT_READY: ENOMEDIUM
    (23, 5),      // ERROR_CRC: EIO
    (32, 16),     // ERROR_SHARING_VIOLATION: EBUSY
    (33, 16),     // ERROR_LOCK_VIOLATION: EBUSY
    (39, 28),     // ERROR_HANDLE_DISK_FULL: ENOSPC
    (50, 95),     // ERROR_NOT_SUPPORTED: EOPNOTSUPP
    (53, 2),      // ERROR_BAD_NETPATH: ENOENT
    (54, 16),     // ERROR_NETWORK_BUSY: EBUSY
    (55, 19),     // ERROR_DEV_NOT_EXIST: ENODEV
    (59, 5),      // ERROR_UNEXP_NET_ERR: EIO
    (64, 103),    // ERROR_NETNAME_DELETED: ECONNABORTED
    (65, 13),     // ERROR_NETWORK_ACCESS_DENIED: EACCES
    (67, 2),      // ERROR_BAD_NET_NAME: ENOENT
    (80, 17),     // ERROR_FILE_EXISTS: EEXIST
    (87, 22),     // ERROR_INVALID_PARAMETER: EINVAL
    (109, 32),    // ERROR_BROKEN_PIPE: EPIPE
    (112, 28),    // ERROR_DISK_FULL: ENOSPC
    (120, 38),    // ERROR_CALL_NOT_IMPLEMENTED: ENOSYS
    (121, 110),   // ERROR_SEM_TIMEOUT: ETIMEDOUT
    (123, 22),    // ERROR_INVALID_NAME: EINVAL
    (131, 22),    // ERROR_NEGATIVE_SEEK: EINVAL
    (145, 39),    // ERROR_DIR_NOT_EMPTY: ENOTEMPTY
    (161, 2),     // ERROR_BAD_PATHNAME: ENOENT
    (170, 16),    // ERROR_BUSY: EBUSY
    (183, 17),    // ERROR_ALREADY_EXISTS: EEXIST
    (206, 36),    // ERROR_FILENAME_EXCED_RANGE: ENAMETOOLONG
    (223, 27),    // ERROR_FILE_TOO_LARGE: EFBIG
    (258, 110),   // WAIT_TIMEOUT: ETIMEDOUT
    (267, 20),    // ERROR_DIRECTORY: ENOTDIR
    (336, 21),    // ERROR_DIRECTORY_NOT_SUPPORTED: EISDIR
    (433, 19),    // ERROR_NO_SUCH_DEVICE: ENODEV
    (487, 14),    // ERROR_INVALID_ADDRESS: EFAULT
    (995, 125),   // ERROR_OPERATION_ABORTED: ECANCELED
    (998, 14),    // ERROR_NOACCESS: EFAULT
    (1006, 116),  // ERROR_FILE_INVALID: ESTALE
    (1112, 123),  // ERROR_NO_MEDIA_IN_DRIVE: ENOMEDIUM
    (1117, 5),    // ERROR_IO_DEVICE: EIO
    (1167, 19),   // ERROR_DEVICE_NOT_CONNECTED: ENODEV
    (1224, 26),   // ERROR_USER_MAPPED_FILE: ETXTBSY
    (1225, 111),  // ERROR_CONNECTION_REFUSED: ECONNREFUSED
    (1231, 101),  // ERROR_NETWORK_UNREACHABLE: ENETUNREACH
    (1232, 113),  // ERROR_HOST_UNREACHABLE: EHOSTUNREACH
    (1236, 103),  // ERROR_CONNECTION_ABORTED: ECONNABORTED
    (1295, 122),  // ERROR_DISK_QUOTA_EXCEEDED: EDQUOT
    (1314, 1),    // ERROR_PRIVILEGE_NOT_HELD: EPERM
    (1450, 11),   // ERROR_NO_SYSTEM_RESOURCES: EAGAIN
    (1453, 11),   // ERROR_WORKING_SET_QUOTA: EAGAIN
    (1455, 12),   // ERROR_COMMITMENT_LIMIT: ENOMEM
    (1460, 110),  // ERROR_TIMEOUT: ETIMEDOUT
    (1784, 11),   // ERROR_INVALID_USER_BUFFER: EAGAIN, as too many I/Os are in flight
    (1816, 11),   // ERROR_NOT_ENOUGH_QUOTA: EAGAIN
    (1921, 40),   // ERROR_CANT_RESOLVE_FILENAME: ELOOP
    (4390, 22),   // ERROR_NOT_A_REPARSE_POINT: EINVAL
    (10004, 4),   // WSAEINTR: EINTR
    (10013, 13),  // WSAEACCES: EACCES
    (10022, 22),  // WSAEINVAL: EINVAL
    (10035, 11),  // WSAEWOULDBLOCK: EAGAIN
    (10036, 115), // WSAEINPROGRESS: EINPROGRESS
    (10048, 98),  // WSAEADDRINUSE: EADDRINUSE
    (10049, 99),  // WSAEADDRNOTAVAIL: EADDRNOTAVAIL
    (10051, 101), // WSAENETUNREACH: ENETUNREACH
    (10054, 104), // WSAECONNRESET: ECONNRESET
    (10060, 110), // WSAETIMEDOUT: ETIMEDOUT
    (10061, 111), // WSAECONNREFUSED: ECONNREFUSED
    (10065, 113), // WSAEHOSTUNREACH: EHOSTUNREACH
];

/// The Linux number for a Windows code; EIO if there is none.
pub(crate) fn linux_number(code: u32) -> i32 {
    const EIO: i32 = 5;
    let at = SAME.binary_search_by_key(&code, |(known, _)| *known);
    at.map_or(EIO, |at| SAME[at].1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorNumber;

    #[test]
    fn the_table_is_sorted_and_every_number_has_a_name() {
        assert!(SAME.is_sorted_by(|one, next| one.0 < next.0));
        assert!(SAME.iter().all(|(_, number)| ErrorNumber::new(*number).name().is_some()));
    }

    #[test]
    fn what_programs_look_for_has_its_number_and_the_rest_is_an_input_output_error() {
        for (code, name) in [(2, "ENOENT"), (5, "EACCES"), (112, "ENOSPC"), (995, "ECANCELED")] {
            assert_eq!(ErrorNumber::of_windows(code).name(), Some(name), "{code}");
        }
        for code in [7, 1_000_000] {
            assert_eq!(ErrorNumber::of_windows(code), ErrorNumber::EIO);
        }
        assert_eq!(ErrorNumber::of_windows(0), ErrorNumber::NONE);
    }
}
