//! Error numbers as in fio: those of Linux, on any system.
//!
//! Names and texts come from a table here and not from the running system, so that a result has the
//! same texts when it is read elsewhere. The texts are those of the GNU C library.

use crate::windows_errors::linux_number;
use fathom_text::Text;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io;

/// An error number of Linux, or none.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct ErrorNumber(i32);

impl ErrorNumber {
    /// No error.
    pub const NONE: ErrorNumber = ErrorNumber(0);
    /// The file does not exist.
    pub const ENOENT: ErrorNumber = ErrorNumber(2);
    /// A signal interrupted it.
    pub const EINTR: ErrorNumber = ErrorNumber(4);
    /// The device failed, or a failure without a number.
    pub const EIO: ErrorNumber = ErrorNumber(5);
    /// There is no such device or address.
    pub const ENXIO: ErrorNumber = ErrorNumber(6);
    /// Resources are lacking now.
    pub const EAGAIN: ErrorNumber = ErrorNumber(11);
    /// Something else has it.
    pub const EBUSY: ErrorNumber = ErrorNumber(16);
    /// The argument is invalid.
    pub const EINVAL: ErrorNumber = ErrorNumber(22);
    /// The file is none that this can be done with.
    pub const ENOTTY: ErrorNumber = ErrorNumber(25);
    /// The file may not become so large.
    pub const EFBIG: ErrorNumber = ErrorNumber(27);
    /// Data came back other than it should be.
    pub const EILSEQ: ErrorNumber = ErrorNumber(84);
    /// A symbolic link, where none may be.
    pub const ELOOP: ErrorNumber = ErrorNumber(40);
    /// It took longer than it may.
    pub const ETIMEDOUT: ErrorNumber = ErrorNumber(110);
    /// The file was replaced by another.
    pub const ESTALE: ErrorNumber = ErrorNumber(116);

    /// The error with this number; 0 means none.
    pub const fn new(number: i32) -> ErrorNumber {
        ErrorNumber(number)
    }

    /// The number of a system error; none if it has no number.
    pub fn of(error: &io::Error) -> ErrorNumber {
        let own = || error.get_ref()?.downcast_ref::<NumberedError>().map(|own| own.number);
        match error.raw_os_error() {
            Some(code) if std::env::consts::FAMILY == "windows" => {
                ErrorNumber::of_windows(code.cast_unsigned())
            }
            Some(number) => ErrorNumber(number),
            None => own().unwrap_or(ErrorNumber::NONE),
        }
    }

    /// The number for a Windows error code (`GetLastError`); 0 means none.
    pub fn of_windows(code: u32) -> ErrorNumber {
        match code {
            0 => ErrorNumber::NONE,
            code => ErrorNumber(linux_number(code)),
        }
    }

    /// The error of this name (`EIO`).
    pub fn named(name: &str) -> Option<ErrorNumber> {
        let alias = ALIASES.iter().find(|(alias, _)| *alias == name).map(|(_, of)| *of);
        let known = alias.unwrap_or(name);
        let at = TABLE.iter().position(|(name, _)| *name == known && !name.is_empty())?;
        i32::try_from(at).ok().map(|number| ErrorNumber(number + 1))
    }

    /// The number.
    pub const fn get(self) -> i32 {
        self.0
    }

    /// Whether it is an error at all.
    pub const fn is_error(self) -> bool {
        self.0 != 0
    }

    /// This error, or `other` if it is none.
    #[must_use]
    pub const fn or(self, other: ErrorNumber) -> ErrorNumber {
        if self.is_error() { self } else { other }
    }

    /// Its name (`EIO`); none for a number without one.
    pub fn name(self) -> Option<&'static str> {
        self.row().map(|(name, _)| *name)
    }

    /// Its text as `strerror(3)` gives it; `Success` for none.
    pub fn text(self) -> String {
        match (self.0, self.row()) {
            (0, _) => "Success".to_owned(),
            (_, Some((_, text))) => (*text).to_owned(),
            (number, None) => format!("Unknown error {number}"),
        }
    }

    fn row(self) -> Option<&'static (&'static str, &'static str)> {
        let at = usize::try_from(self.0).ok()?.checked_sub(1)?;
        TABLE.get(at).filter(|(name, _)| !name.is_empty())
    }
}

impl From<i32> for ErrorNumber {
    fn from(number: i32) -> ErrorNumber {
        ErrorNumber(number)
    }
}

impl PartialEq<i32> for ErrorNumber {
    fn eq(&self, number: &i32) -> bool {
        self.0 == *number
    }
}

impl fmt::Display for ErrorNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// An error with a system error number and a longer text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberedError {
    number: ErrorNumber,
    text: Text,
}

impl NumberedError {
    /// An error of this number that reads as `text`.
    pub fn new(number: ErrorNumber, text: impl Into<Text>) -> NumberedError {
        NumberedError { number, text: text.into() }
    }
}

impl fmt::Display for NumberedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}

impl std::error::Error for NumberedError {}

/// Of the kind that Linux' own error of that number has.
impl From<NumberedError> for io::Error {
    fn from(error: NumberedError) -> io::Error {
        io::Error::new(kind_of(error.number), error)
    }
}

/// The error kind of this number, on any running system.
fn kind_of(number: ErrorNumber) -> io::ErrorKind {
    use io::ErrorKind as Kind;
    match number.name() {
        Some("EPERM" | "EACCES") => Kind::PermissionDenied,
        Some("ENOENT") => Kind::NotFound,
        Some("EINTR") => Kind::Interrupted,
        Some("EAGAIN") => Kind::WouldBlock,
        Some("ENOMEM") => Kind::OutOfMemory,
        Some("EBUSY") => Kind::ResourceBusy,
        Some("EEXIST") => Kind::AlreadyExists,
        Some("EXDEV") => Kind::CrossesDevices,
        Some("ENOTDIR") => Kind::NotADirectory,
        Some("EISDIR") => Kind::IsADirectory,
        Some("EINVAL") => Kind::InvalidInput,
        Some("ETXTBSY") => Kind::ExecutableFileBusy,
        Some("EFBIG") => Kind::FileTooLarge,
        Some("ENOSPC") => Kind::StorageFull,
        Some("ESPIPE") => Kind::NotSeekable,
        Some("EROFS") => Kind::ReadOnlyFilesystem,
        Some("EMLINK") => Kind::TooManyLinks,
        Some("EPIPE") => Kind::BrokenPipe,
        Some("EDEADLK") => Kind::Deadlock,
        Some("ENAMETOOLONG") => Kind::InvalidFilename,
        Some("ENOSYS" | "EOPNOTSUPP") => Kind::Unsupported,
        Some("ENOTEMPTY") => Kind::DirectoryNotEmpty,
        Some("EADDRINUSE") => Kind::AddrInUse,
        Some("EADDRNOTAVAIL") => Kind::AddrNotAvailable,
        Some("ENETDOWN") => Kind::NetworkDown,
        Some("ENETUNREACH") => Kind::NetworkUnreachable,
        Some("ECONNABORTED") => Kind::ConnectionAborted,
        Some("ECONNRESET") => Kind::ConnectionReset,
        Some("ENOTCONN") => Kind::NotConnected,
        Some("ETIMEDOUT") => Kind::TimedOut,
        Some("ECONNREFUSED") => Kind::ConnectionRefused,
        Some("EHOSTUNREACH") => Kind::HostUnreachable,
        Some("ESTALE") => Kind::StaleNetworkFileHandle,
        Some("EDQUOT") => Kind::QuotaExceeded,
        _ => Kind::Other,
    }
}

/// Second names of numbers.
const ALIASES: [(&str, &str); 3] =
    [("EWOULDBLOCK", "EAGAIN"), ("ENOTSUP", "EOPNOTSUPP"), ("EDEADLOCK", "EDEADLK")];

/// Name and text of each number from 1 on; empty for unused numbers.
const TABLE: [(&str, &str); 133] = [
    ("EPERM", "Operation not permitted"),
    ("ENOENT", "No such file or directory"),
    ("ESRCH", "No such process"),
    ("EINTR", "Interrupted system call"),
    ("EIO", "Input/output error"),
    ("ENXIO", "No such device or address"),
    ("E2BIG", "Argument list too long"),
    ("ENOEXEC", "Exec format error"),
    ("EBADF", "Bad file descriptor"),
    ("ECHILD", "No child processes"),
    ("EAGAIN", "Resource temporarily unavailable"),
    ("ENOMEM", "Cannot allocate memory"),
    ("EACCES", "Permission denied"),
    ("EFAULT", "Bad address"),
    ("ENOTBLK", "Block device required"),
    ("EBUSY", "Device or resource busy"),
    ("EEXIST", "File exists"),
    ("EXDEV", "Invalid cross-device link"),
    ("ENODEV", "No such device"),
    ("ENOTDIR", "Not a directory"),
    ("EISDIR", "Is a directory"),
    ("EINVAL", "Invalid argument"),
    ("ENFILE", "Too many open files in system"),
    ("EMFILE", "Too many open files"),
    ("ENOTTY", "Inappropriate ioctl for device"),
    ("ETXTBSY", "Text file busy"),
    ("EFBIG", "File too large"),
    ("ENOSPC", "No space left on device"),
    ("ESPIPE", "Illegal seek"),
    ("EROFS", "Read-only file system"),
    ("EMLINK", "Too many links"),
    ("EPIPE", "Broken pipe"),
    ("EDOM", "Numerical argument out of domain"),
    ("ERANGE", "Numerical result out of range"),
    ("EDEADLK", "Resource deadlock avoided"),
    ("ENAMETOOLONG", "File name too long"),
    ("ENOLCK", "No locks available"),
    ("ENOSYS", "Function not implemented"),
    ("ENOTEMPTY", "Directory not empty"),
    ("ELOOP", "Too many levels of symbolic links"),
    ("", ""),
    ("ENOMSG", "No message of desired type"),
    ("EIDRM", "Identifier removed"),
    ("ECHRNG", "Channel number out of range"),
    ("EL2NSYNC", "Level 2 not synchronized"),
    ("EL3HLT", "Level 3 halted"),
    ("EL3RST", "Level 3 reset"),
    ("ELNRNG", "Link number out of range"),
    ("EUNATCH", "Protocol driver not attached"),
    ("ENOCSI", "No CSI structure available"),
    ("EL2HLT", "Level 2 halted"),
    ("EBADE", "Invalid exchange"),
    ("EBADR", "Invalid request descriptor"),
    ("EXFULL", "Exchange full"),
    ("ENOANO", "No anode"),
    ("EBADRQC", "Invalid request code"),
    ("EBADSLT", "Invalid slot"),
    ("", ""),
    ("EBFONT", "Bad font file format"),
    ("ENOSTR", "Device not a stream"),
    ("ENODATA", "No data available"),
    ("ETIME", "Timer expired"),
    ("ENOSR", "Out of streams resources"),
    ("ENONET", "Machine is not on the network"),
    ("ENOPKG", "Package not installed"),
    ("EREMOTE", "Object is remote"),
    ("ENOLINK", "Link has been severed"),
    ("EADV", "Advertise error"),
    ("ESRMNT", "Srmount error"),
    ("ECOMM", "Communication error on send"),
    ("EPROTO", "Protocol error"),
    ("EMULTIHOP", "Multihop attempted"),
    ("EDOTDOT", "RFS specific error"),
    ("EBADMSG", "Bad message"),
    ("EOVERFLOW", "Value too large for defined data type"),
    ("ENOTUNIQ", "Name not unique on network"),
    ("EBADFD", "File descriptor in bad state"),
    ("EREMCHG", "Remote address changed"),
    ("ELIBACC", "Can not access a needed shared library"),
    ("ELIBBAD", "Accessing a corrupted shared library"),
    ("ELIBSCN", ".lib section in a.out corrupted"),
    ("ELIBMAX", "Attempting to link in too many shared libraries"),
    ("ELIBEXEC", "Cannot exec a shared library directly"),
    ("EILSEQ", "Invalid or incomplete multibyte or wide character"),
    ("ERESTART", "Interrupted system call should be restarted"),
    ("ESTRPIPE", "Streams pipe error"),
    ("EUSERS", "Too many users"),
    ("ENOTSOCK", "Socket operation on non-socket"),
    ("EDESTADDRREQ", "Destination address required"),
    ("EMSGSIZE", "Message too long"),
    ("EPROTOTYPE", "Protocol wrong type for socket"),
    ("ENOPROTOOPT", "Protocol not available"),
    ("EPROTONOSUPPORT", "Protocol not supported"),
    ("ESOCKTNOSUPPORT", "Socket type not supported"),
    ("EOPNOTSUPP", "Operation not supported"),
    ("EPFNOSUPPORT", "Protocol family not supported"),
    ("EAFNOSUPPORT", "Address family not supported by protocol"),
    ("EADDRINUSE", "Address already in use"),
    ("EADDRNOTAVAIL", "Cannot assign requested address"),
    ("ENETDOWN", "Network is down"),
    ("ENETUNREACH", "Network is unreachable"),
    ("ENETRESET", "Network dropped connection on reset"),
    ("ECONNABORTED", "Software caused connection abort"),
    ("ECONNRESET", "Connection reset by peer"),
    ("ENOBUFS", "No buffer space available"),
    ("EISCONN", "Transport endpoint is already connected"),
    ("ENOTCONN", "Transport endpoint is not connected"),
    ("ESHUTDOWN", "Cannot send after transport endpoint shutdown"),
    ("ETOOMANYREFS", "Too many references: cannot splice"),
    ("ETIMEDOUT", "Connection timed out"),
    ("ECONNREFUSED", "Connection refused"),
    ("EHOSTDOWN", "Host is down"),
    ("EHOSTUNREACH", "No route to host"),
    ("EALREADY", "Operation already in progress"),
    ("EINPROGRESS", "Operation now in progress"),
    ("ESTALE", "Stale file handle"),
    ("EUCLEAN", "Structure needs cleaning"),
    ("ENOTNAM", "Not a XENIX named type file"),
    ("ENAVAIL", "No XENIX semaphores available"),
    ("EISNAM", "Is a named type file"),
    ("EREMOTEIO", "Remote I/O error"),
    ("EDQUOT", "Disk quota exceeded"),
    ("ENOMEDIUM", "No medium found"),
    ("EMEDIUMTYPE", "Wrong medium type"),
    ("ECANCELED", "Operation canceled"),
    ("ENOKEY", "Required key not available"),
    ("EKEYEXPIRED", "Key has expired"),
    ("EKEYREVOKED", "Key has been revoked"),
    ("EKEYREJECTED", "Key was rejected by service"),
    ("EOWNERDEAD", "Owner died"),
    ("ENOTRECOVERABLE", "State not recoverable"),
    ("ERFKILL", "Operation not possible due to RF-kill"),
    ("EHWPOISON", "Memory page has hardware error"),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// The running system's numbers; none if they differ from Linux's.
    fn numbers() -> std::ops::Range<i32> {
        0..if std::env::consts::OS == "linux" { 141 } else { 0 }
    }

    #[test]
    fn texts_are_those_of_the_c_library() {
        for number in numbers() {
            let error = io::Error::from_raw_os_error(number).to_string();
            let known = error.split(" (os error").next().unwrap();
            assert_eq!(ErrorNumber::new(number).text(), known);
        }
    }

    #[test]
    fn kinds_are_those_of_the_system_where_it_has_one() {
        for number in numbers() {
            let system = io::Error::from_raw_os_error(number).kind();
            // Kinds without a stable name, such as that of ELOOP, are of no use to a caller.
            let ours = io::Error::from(NumberedError::new(number.into(), String::new())).kind();
            assert!(
                ours == system || ours == io::ErrorKind::Other,
                "{number}: {ours:?} {system:?}"
            );
        }
        let error = io::Error::from(NumberedError::new(ErrorNumber::ESTALE, "gone".to_owned()));
        assert_eq!(ErrorNumber::of(&error), ErrorNumber::ESTALE);
        assert_eq!(error.kind(), io::ErrorKind::StaleNetworkFileHandle);
    }

    #[test]
    fn names_lead_to_numbers_and_back() {
        assert_eq!(ErrorNumber::named("EIO"), Some(ErrorNumber::EIO));
        assert_eq!(ErrorNumber::named("EWOULDBLOCK"), Some(ErrorNumber::EAGAIN));
        assert_eq!(ErrorNumber::named("ENOTSUP"), ErrorNumber::named("EOPNOTSUPP"));
        assert_eq!((ErrorNumber::named("EFOO"), ErrorNumber::named("")), (None, None));
        for number in 1..=133 {
            let error = ErrorNumber::new(number);
            if let Some(name) = error.name() {
                assert_eq!(ErrorNumber::named(name), Some(error), "{name}");
            }
        }
        for number in [-1, 0, 41, 134, i32::MAX, i32::MIN] {
            assert_eq!(ErrorNumber::new(number).name(), None, "{number}");
        }
    }

    #[test]
    fn it_is_written_as_the_number_that_it_is() {
        assert_eq!(format!("{:2}|{}", ErrorNumber::EIO, ErrorNumber::ESTALE), " 5|116");
        let none = ErrorNumber::NONE;
        assert_eq!((none.or(ErrorNumber::EIO), ErrorNumber::EBUSY.or(none)), (5.into(), 16.into()));
        assert!(!none.is_error() && ErrorNumber::EIO.is_error());
    }
}
