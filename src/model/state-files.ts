// Which file of the harness belongs to whom: the table in docs/architecture.md, written by scripts/state-files-reference.ts.
import { RECORD_NAMES } from './records.ts';

export type StateFileRow = {
  readonly file: string;
  /**
   * `repository`: all its work trees share it, and change it under a lock or by compare-and-swap. `workspace`: one work tree's alone. `tree`: that
   * of each lane, where there are several.
   */
  readonly owner: 'repository' | 'workspace' | 'tree';
  /** Where it is read when something is decided by it. */
  readonly truth: string;
  /** The copy for people; it decides nothing and is written again with the next change. */
  readonly shown: string | null;
  /** Whose session may not change it: a difference is put back and rejects the session. null: no agent can write it, or no verdict needs it. */
  readonly guard: 'session' | null;
};

const REPOSITORY = '`<git common dir>/harness/`';
const WORKSPACE = 'the state folder of the work tree';

const own = (file: string, owner: StateFileRow['owner'], shown: string | null = null): StateFileRow => ({
  file,
  owner,
  truth: owner === 'repository' ? REPOSITORY : owner === 'workspace' ? WORKSPACE : `${WORKSPACE}, or of the lane`,
  shown,
  guard: null,
});

export const STATE_FILES: readonly StateFileRow[] = [
  own('`gates/`', 'repository'),
  own('`evidence/`', 'repository'),
  own('`costs.yaml`', 'repository', '`.harness/costs.yaml`'),
  own('`session-numbers.json`', 'repository'),
  own('`accounts.json`', 'repository'),
  { file: '`refs/harness/`, without the next line', owner: 'repository', truth: 'git', shown: null, guard: null },
  {
    file: '`refs/harness/wip/`, of a linked work tree `refs/harness/wip-of/<id>/`',
    owner: 'workspace',
    truth: 'git',
    shown: null,
    guard: null,
  },
  own('`lock.db`, `lock.json`: the run lock', 'workspace'),
  own('`loop.json`, `loop.jsonl`, `reports.jsonl`', 'workspace'),
  own('`items/`, `procedures/`, `waits/`', 'workspace'),
  own('`sessions/`: turns, tamper guards, homes', 'workspace'),
  own('`inbox/`, `notices/`', 'workspace'),
  own('`held/`: items that a person holds · `messages/`: to the agents of items', 'workspace'),
  own('`paused.json`, `handoff.json`, `abort.json`, `migration.json`, `init.jsonl`', 'workspace'),
  own(
    '`issues.json`: the issues of the items, as far as known · `proposed/`: landings that wait for a merge',
    'workspace',
  ),
  own('`test_baseline.json`', 'tree', '`.harness/test_baseline.json`'),
  own('`quarantine.json`', 'workspace', '`.harness/quarantine.json`'),
  own('`file_sizes.json`, `line-counts.json`', 'workspace', '`.harness/file_sizes.json`'),
  own('`last-state.json`: `session_state.json` when a session last ended, for where that is gone', 'workspace'),
  own('`health.json`: what was measured when work last landed', 'workspace'),
  own(
    '`site_seen.json`: what `harness site-reverse` saw · `site-reverse.json`, `site-reverse.jsonl`, `plan.json`',
    'workspace',
  ),
  own('`installed/`, `ignored/`', 'tree'),
  own(
    '`lanes/<n>/`: of each lane · `ledgers/`: of each item · `baselines/`: by tree, and by the commit of a landing · `landings.json`',
    'workspace',
  ),
  own('`scratch/`, `log-lines`, `log-retention.json`, `unpushed.json`', 'workspace'),
  own('`pending-log/`, `proved.json`, `git-files/`, `parked/`', 'workspace'),
  own('`work-tree.json`, `follow.json` · `run-branches.json`: branches that runs land on', 'workspace'),
  own('`events/`: the event log of each run', 'workspace', '`.harness/logs/events.jsonl`, sampled by level'),
  own(
    '`memory/`: what the sessions of a machine with a memory left, and its last curation',
    'workspace',
    '`.harness/memory/raw.md`',
  ),
  {
    file: '`memory/summary.md`, `memory/MEMORY.md`',
    owner: 'workspace',
    truth: '`.harness/`',
    shown: null,
    guard: null,
  },
  own('`serve/`: lock, address, token and log of the server', 'workspace'),
  own('`frozen.json`', 'workspace', '`.harness/FROZEN`, which a user may also make'),
  own('`daemon.json`, `tick.json`: the daemon of a delivery', 'workspace', '`.harness/state.json`'),
  own('`telemetry.log`: what sending the last run said', 'workspace'),
  own('`answers/`: what commands that only look printed last', 'workspace'),
  { file: '`landing.json`', owner: 'workspace', truth: '`<git dir>/harness/`', shown: null, guard: null },
  { file: '`session_state.json`', owner: 'workspace', truth: '`.harness/`', shown: null, guard: 'session' },
  {
    file: '`checkpoints/`, `sessions/`, `logs/`',
    owner: 'workspace',
    truth: 'none',
    shown: '`.harness/`',
    guard: null,
  },
  { file: 'the list, its log', owner: 'workspace', truth: 'the last commit', shown: 'the work tree', guard: 'session' },
];

/** Of `.harness/`: what the harness itself writes there for every playbook. */
const OWN_STATE: readonly string[] = [
  'session_state.json',
  'sessions',
  'checkpoints',
  'logs',
  'memory',
  'debug',
  'decided',
  'issues',
  'site',
  'escalation.md',
  'fidelity.json',
  ...RECORD_NAMES,
];

/** Whether a file is the harness's own, and so in the user's work tree though agents work in another. `own`: those of the playbook; a folder ends with a slash. */
export function isHarnessFile(
  path: string,
  { stateDir, own }: { readonly stateDir: string; readonly own: readonly string[] },
): boolean {
  if (own.some((one) => one === path || (one.endsWith('/') && path.startsWith(one)))) return true;
  return path.startsWith(`${stateDir}/`) && OWN_STATE.includes(path.slice(stateDir.length + 1).split('/')[0] ?? '');
}
