//! Measuring on other machines: `--on HOST`, and its other end `fathom agent`.

mod agent;
mod args;
mod clients;

pub use agent::{AgentArgs, agent};
pub use args::FleetArgs;
pub use clients::{clients, clients_of_run};
use fathom_text::text;

use crate::agent_binaries::agent_binaries;
use crate::cli_error::CliError;
use crate::session::Session;
use crate::terminal::screen::warn_line;
use fathom_campaign::Machine;
use fathom_fleet::{FleetMachine, FleetNotice, FleetOptions};
use fathom_vocab::Target;
use std::sync::Arc;

/// Reports the state of hosts on standard error.
struct Warnings;

impl FleetNotice for Warnings {
    fn notice(&mut self, sentence: &str) {
        warn_line(format_args!("fathom: {sentence}"));
    }
}

/// The machines that `args` name, and how to reach them; none for a local measurement.
///
/// # Errors
/// If hosts, relays and numbers do not fit each other.
fn options(args: &FleetArgs) -> Result<Option<FleetOptions>, CliError> {
    let Some(hosts) = args.hosts()? else { return Ok(None) };
    if args.min_clients.is_some_and(|least| least > hosts.len()) {
        return Err(CliError::usage(text!("--min-clients asks for more hosts than --on names")));
    }
    let relays = args.relays()?;
    if relays.len() * 2 > hosts.len() {
        return Err(CliError::usage(text!("--relays names more hosts than half of those of --on")));
    }
    Ok(Some(FleetOptions {
        via: args.via(hosts.len())?,
        hosts,
        relays,
        agent: args.agent.clone(),
        binaries: Arc::new(agent_binaries(&args.agent_binary)?),
        keeps_agent: args.keep_agent,
        min_clients: args.min_clients,
        sharing: args.sharing(),
        fathom_version: env!("FATHOM_VERSION").to_owned(),
    }))
}

/// Puts the machines that `args` name in the place of this one.
///
/// # Errors
/// If a host cannot be reached, or a target is no path that means the same there.
pub fn connect(
    args: &FleetArgs,
    targets: &[Target],
    session: &mut Session,
) -> Result<(), CliError> {
    let Some(options) = options(args)? else { return Ok(()) };
    if let Some(target) = targets.iter().find(|target| !target.is_absolute()) {
        return Err(CliError::usage(text!(
            "{target} is a path from where you are, and with --on it is looked for on another \
             machine; give it from / or from a drive, as D:\\test"
        )));
    }
    let fleet = FleetMachine::connect(options, session.control.clone(), Box::new(Warnings));
    let mut fleet = fleet?;
    session.system = fleet.system()?;
    session.machine = Box::new(fleet);
    Ok(())
}
