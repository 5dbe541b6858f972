//! `fathom agent`: lets a Fathom elsewhere measure on this machine. It exchanges frames on standard
//! input and output, and ends when its input closes.

use super::args::SharedFile;
use super::{FleetArgs, Warnings, options};
use crate::cli_error::{CliError, CommonError};
use crate::host_probe::LocalProbe;
use crate::session::{scratch_folders, tell_leftovers};
use crate::stale_files::test_file_registry;
use crate::terminal::screen::warn_line;
use crate::terminal::signals::{self, EndStyle};
use clap::Args;
use fathom_campaign::{LocalMachine, Machine, TestFiles};
use fathom_fleet::{AgentEnd, AgentParts, FleetMachine, Hello, PATIENCE_MS, agent_process};
use fathom_host::Host;
use fathom_run::Control;
use fathom_text::text;
use std::io::{IsTerminal, stdin, stdout};
use std::sync::Arc;

/// The command line of `fathom agent`.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub struct AgentArgs {
    /// Be a relay: an agent of these hosts together
    #[arg(long, value_name = "HOSTS")]
    on: Option<String>,

    /// How a relay reaches its hosts
    #[arg(long, value_name = "COMMAND", requires = "on")]
    via: Option<String>,

    /// The binary on its hosts
    #[arg(long, value_name = "PATH", requires = "on")]
    agent: Option<String>,

    /// Whether a binary that a relay copies stays
    #[arg(long, requires = "on")]
    keep_agent: bool,

    /// Hosts below which a relay gives up [default: all of its own]
    #[arg(long, value_name = "N", requires = "on",
          value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..))]
    min_clients: Option<usize>,

    /// How its hosts share one file
    #[arg(long, value_name = "HOW", requires = "on", require_equals = true, value_enum)]
    shared_file: Option<SharedFile>,
}

impl AgentArgs {
    /// What a relay is told, as a command that measures is told of hosts.
    fn fleet(&self) -> FleetArgs {
        FleetArgs {
            on: self.on.clone(),
            via: self.via.clone(),
            agent: self.agent.clone(),
            keep_agent: self.keep_agent,
            min_clients: self.min_clients,
            shared_file: self.shared_file,
            ..FleetArgs::default()
        }
    }
}

const AFTER_HELP: &str = "\
Nobody types this: `fathom measure /mnt/data --on HOST` starts it on the host by ssh. It answers on
its standard output, and stops all I/O and removes its test files as soon as its standard input
ends, or when nothing is heard of the other side for 4 seconds.

Exit codes: 0 the other side said goodbye, 1 it was lost, 2 usage.";

/// Runs `fathom agent` and gives its exit code.
///
/// # Errors
/// If it is not started by a coordinator, or its own hosts cannot be reached.
pub fn agent(args: &AgentArgs, host: Host) -> Result<u8, CliError> {
    if stdin().is_terminal() {
        return Err(CliError::usage(text!(
            "`fathom agent` is started by Fathom itself; type `fathom measure DIR --on HOST`"
        )));
    }
    let files = TestFiles::registered(test_file_registry());
    let control = Arc::new(Control::default());
    signals::listen(&control, &files, EndStyle::Fathom).map_err(CommonError::Signals)?;
    match options(&args.fleet())? {
        Some(options) => {
            let fleet = FleetMachine::connect(options, control.clone(), Box::new(Warnings))?;
            Ok(serve(fleet, control, files))
        }
        None => {
            let machine = LocalMachine::new(host, control.clone(), &files, scratch_folders())
                .with_probe(Box::new(LocalProbe));
            Ok(serve(machine, control, files))
        }
    }
}

/// Answers for a machine until the other side goes; gives the exit code.
fn serve<M: Machine + Send + 'static>(machine: M, control: Arc<Control>, files: TestFiles) -> u8 {
    let clients = machine.clients();
    let own = Hello { clients, ..Hello::own(env!("FATHOM_VERSION"), PATIENCE_MS) };
    let report = agent_process(AgentParts { machine, control, files, own }, stdin(), stdout());
    let code = match report.end {
        AgentEnd::Farewell => 0,
        AgentEnd::Lost(why) => {
            warn_line(text!("fathom agent: {why}; I/O is stopped and test files are removed"));
            1
        }
    };
    code.max(tell_leftovers(&report.leftovers))
}
