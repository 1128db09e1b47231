/**
 * The tests that run only by night: long stories whose decisions tables, grids, unit tests and the simulator try in every run, and crashes with real agents whose
 * scenarios the quick grids, the kills and the simulator have too (docs/testing.md). Kills of a run with several lanes are among them: which process a
 * drawn call belongs to depends on time, so a seed does not bring the same run back.
 */
export const NIGHT: string[] = [
  'test/contract/agents.long.test.ts',
  'test/e2e/workflow-{bounds,commands,commit,fix,gates,kills,modes,resume,retries,styles}.long.test.ts',
  'test/e2e/{adversarial,by-hand,cleanup,competition,continue-beside,endurance,escalations,flaky,git-files,handoff,import,isolation,issues,item-steering,kept-answers,land-branch-more,land-others,land-pull-request,landed-state,lanes-tasks,left-out}.long.test.ts',
  'test/e2e/delivery-{browser,by-phase,daemon-users,github,issues,kills,kills-more,phases}.long.test.ts',
  'test/e2e/{docs-site,limits,live,live-line,logs,migrate,mission-kills,mission-more,notify,own-save,packages,pairs,places,quota,regression,remote,replay,report,sandbox,sandbox-not-opened,site-reverse,steering,suggested-fixes,tasks-recovery,telemetry,telemetry-receivers,trace,ui-qa,unattended-files,users-work,waiting-commands,what-people-see}.long.test.ts',
  'test/simulator/mutants.long.test.ts',
  'test/crash/kills/{lanes,missions}.long.test.ts',
  'test/crash/{between-runs,user-commits,by-hand,handoff,isolation,lying,migration,outages}.long.test.ts',
];
