//! Why a request is refused.

/// A request that is not answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GateRefusal {
    /// We do not go by that name.
    Host,
    /// It comes from another site's page.
    Origin,
    /// It would change something.
    Method,
    /// It shows no token, or a wrong one.
    Token,
}
