# verdicts
