//! The exit code of a result.
//!
//! Errors before there is a result (a bad option, no jobs, a missing engine, an output file that
//! cannot be opened) give 1, which the caller returns.

use fathom_stats::RunResult;

/// Exit code after a signal ended the run.
pub const SIGNALLED: u8 = 128;

/// 0 after success, 128 after a signal, otherwise the number of failed clones, at most 127: a
/// system has eight bits for it, in which 256 failures would look like none.
pub fn exit_code(result: &RunResult) -> u8 {
    if result.interrupted {
        return SIGNALLED;
    }
    let failed = result.jobs.iter().filter(|job| job.error.is_error()).count();
    u8::try_from(failed).unwrap_or(u8::MAX).min(SIGNALLED - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_stats::JobResult;

    fn with_errors(errors: &[i32]) -> RunResult {
        let job = |error: &i32| JobResult { error: (*error).into(), ..JobResult::default() };
        RunResult { jobs: errors.iter().map(job).collect(), ..RunResult::default() }
    }

    #[test]
    fn failures_are_counted_and_a_signal_outranks_them() {
        assert_eq!(exit_code(&with_errors(&[0, 0])), 0);
        assert_eq!(exit_code(&with_errors(&[0, 28, 5])), 2);
        assert_eq!(exit_code(&with_errors(&[5; 256])), 127);
        let interrupted = RunResult { interrupted: true, ..with_errors(&[5]) };
        assert_eq!(exit_code(&interrupted), 128);
    }
}
