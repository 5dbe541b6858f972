//! `fathom kube check`: does a volume of a class reach its promise?
//!
//! Without a promise on the command line, Fathom guesses it from the class's provisioner and
//! parameters, and prints it. The size for the promise is the claim's.

use super::args::KubeCheckArgs;
use super::pods::{PodsOrder, in_pods};
use super::{blank, exports, typed};
use crate::check::{self, CheckArgs};
use crate::cli_error::CliError;
use crate::session::Session;
use crate::terminal::screen::warn_line;
use crate::volume_args::parse_count;
use fathom_kube::{ClassPromise, Cluster, ClusterAccess, class_promise};
use fathom_text::text;
use fathom_vocab::printable;

/// Checks a volume of a class, or an existing claim.
///
/// # Errors
/// If no promise is known, or the pods do not start.
pub fn checked(
    access: &ClusterAccess,
    args: &KubeCheckArgs,
    session: Session,
) -> Result<u8, CliError> {
    let mut own = args.check.clone();
    own.course.report.check()?;
    args.pods.fit_file(&mut own.plan)?;
    let export = exports(typed(&own.target), own.course.fleet.on.as_deref())?;
    args.pods.refuse_several("check", export.len())?;
    let pods = args.pods.count()?;
    if !is_held(&own) {
        hold(access, args, &mut own)?;
    }
    let is_new = !args.pods.classes.is_empty();
    if own.promise.is_some() && own.volume.volume_size.is_none() && is_new {
        own.volume.volume_size = size(&args.pods.claim_size);
    }
    let order = PodsOrder { quiet: own.course.show.quiet, ..PodsOrder::of(pods) };
    let show = own.course.show.clone();
    in_pods((access, &args.pods, &order), &show, session, |targets, mut session| {
        own.plan.destroy_data_on.extend(blank(&args.pods, targets, &mut session));
        // An export appears as it was typed.
        if let Some(target) = targets.first() {
            own.target = target.clone();
        }
        check::check(&own, session)
    })
}

/// Whether the command line states limits.
fn is_held(args: &CheckArgs) -> bool {
    let latency = !args.latency.is_empty() || args.p99.is_some();
    args.promise.is_some() || args.iops.is_some() || args.mbps.is_some() || latency
}

/// Compares the volume with the probable promise of its class.
fn hold(access: &ClusterAccess, args: &KubeCheckArgs, own: &mut CheckArgs) -> Result<(), CliError> {
    let promise = match args.pods.classes.first() {
        Some(class) => class_promise(&Cluster::connect(access)?.class(class)?),
        None => None,
    };
    let Some(ClassPromise { name, iops, mbps }) = promise else {
        return Err(CliError::usage(text!(
            "no promise is known of this volume; name one by --promise (`fathom promises` lists \
             them), or give limits by --iops, --mbps or --latency"
        )));
    };
    own.iops = iops.as_deref().and_then(|text| parse_count(text).ok());
    own.mbps = mbps.and_then(|text| text.parse().ok());
    if !own.course.show.quiet {
        warn_line(printable::line(&localized!(
            "fathom: the class's provisioner and parameters say that this is {name}; name another \
             by --promise"
        )));
    }
    own.promise = Some(name);
    Ok(())
}

/// A claim's size as providers sell it: `10Gi` are 10 GiB.
fn size(claim: &str) -> Option<fathom_analysis::promise::Size> {
    let unit = if claim.ends_with(|letter: char| letter.is_ascii_alphabetic()) { "B" } else { "" };
    format!("{claim}{unit}").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claims_size_is_that_of_the_volume_as_it_was_bought() {
        let of = |text: &str| size(text).map(|size| size.to_string());
        assert_eq!(
            of("500Gi"),
            "500GiB".parse().ok().map(|of: fathom_analysis::promise::Size| of.to_string())
        );
        assert_eq!(of("lots"), None);
    }
}
