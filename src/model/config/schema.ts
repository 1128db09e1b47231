// The one strict schema of the configuration file and of its result. Keys are declared in
// camelCase, as the code reads them; a file writes them in snake_case (or in camelCase as well). The type `Config`, defaults,
// errors, the JSON Schema and the reference page all come from here. A new key is one line in its section.
import * as z from 'zod/mini';
import { agents, costs, limits, models, quota, type RoleNames } from './agents.ts';
import { delivery } from './delivery.ts';
import { forge } from './forge.ts';
import { backlogSource, github } from './issues.ts';
import { DEFAULT_PLAYBOOK, NEWER_STATE, OLDER_STATE, PLAYBOOKS } from './names.ts';
import { branchIsolation, checkpoints, mission, useWorktrees } from './mission.ts';
import { DEFAULT_PATHS } from './paths.ts';
import { planned } from './planned.ts';
import { tools } from './tools.ts';
import { choice, count, described, flag, limited, list, path, pathList, section, TEXT, unread } from './values.ts';
import * as work from './work.ts';

/** What parts of the program add to the schema: names of test runners and of roles, and the playbooks that exist. */
export type ConfigNames = RoleNames & {
  readonly runners: readonly string[];
  /** Supported values of `playbook`, and those of them that have a machine with recovery tables. */
  readonly playbooks: { readonly supported: readonly unknown[]; readonly recovering: readonly unknown[] };
};

const pair = z.strictObject({
  backlog: described(z.enum(PLAYBOOKS), 'The playbook whose list format is used.'),
  machine: described(z.enum(PLAYBOOKS), 'The playbook whose machine is used.'),
});

const playbook = ({ supported }: ConfigNames['playbooks']) =>
  limited(
    { effect: 'refused', part: 'playbooks', except: supported },
    described(
      z.pipe(
        z._default(z.union([z.enum(PLAYBOOKS), pair]), DEFAULT_PLAYBOOK),
        z.transform((written) => (typeof written === 'string' ? { backlog: written, machine: written } : written)),
      ),
      'How the work is organised.',
    ),
  );

const isolation = described(
  z.optional(z.enum(['in-place', 'worktree'])),
  'Where agents work: in the work tree of the repository, or in one of their own beside it, so that yours is free. `worktree` where `lanes` is above 1, else `in-place`.',
);

const lanes = count(
  'Items worked on at the same time, each in a work tree of its own beside the repository.',
  [1, 64],
  1,
);

const recovery = ({ recovering }: ConfigNames['playbooks']) =>
  limited(
    { effect: 'refused', part: 'recovery-tables', except: ['restore'], unless: { key: 'playbook', in: recovering } },
    described(z.optional(z.enum(['restore', 'checked', 'literal'])), 'What happens to work that a crash interrupted.'),
  );

const sandbox = section('The sandbox that commands of the project run in.', {
  level: choice(
    '`auto`: the strongest sandbox available. A level by name: that one, or nothing runs. `none`: no sandbox.',
    ['auto', 'bwrap', 'srt', 'pidns', 'none'],
    'auto',
  ),
  network: choice(
    'Network of tests and other checks, if the level can close it; `srt` cannot open it. Environment scripts always have network.',
    ['closed', 'open'],
    'closed',
  ),
  agents: choice(
    '`inside`: with `bwrap`, agents run in the sandbox too and can write only the work tree and their own settings. `outside`: with your permissions.',
    ['inside', 'outside'],
    'inside',
  ),
  sockets: list(
    'Sockets of services that environment scripts and cleanup commands reach in the sandbox, such as `/var/run/docker.sock`: absolute, or below `~/`. Who reaches one has the rights of its service.',
  ),
  agentFolders: list('Other paths that agents in the sandbox may write: absolute, or below `~/`.'),
});

const paths = section('Where the harness keeps its files, repository-relative.', {
  features: path('The feature list.', DEFAULT_PATHS.features),
  progress: path('The progress log for people and agents.', DEFAULT_PATHS.progress),
  stateDir: path('Runtime files; the folder is ignored by git.', DEFAULT_PATHS.stateDir),
});

const compatibility = section('What happens to state that another version of the harness wrote.', {
  onOlderState: choice('State of an older version.', OLDER_STATE, 'migrate'),
  onNewerState: choice('State of a newer version.', NEWER_STATE, 'abort'),
  backupBeforeMigrate: flag('Keep a copy of the old state.', true),
});

export const configSchemaFor = (names: ConfigNames) =>
  z.strictObject({
    $schema: unread(described(z.optional(z.string()), 'For editors; not read.')),
    playbook: playbook(names.playbooks),
    backlog: backlogSource,
    project: work.project,
    agents: agents(names),
    models: models(names),
    isolation,
    lanes,
    lanesShare: pathList(
      'Ignored files and folders that a clean checkout gets, as they are before a session: settings that tests need, such as `.env.test`.',
    ),
    dirtyTree: choice('What happens to uncommitted work at the start.', ['refuse', 'stash'], 'refuse'),
    recovery: recovery(names.playbooks),
    environment: work.environment,
    testing: work.testing(names.runners),
    costs,
    limits,
    quota,
    context: work.context,
    progress: work.progress,
    session: work.session,
    quality: work.quality,
    verification: work.verification,
    features: work.features,
    mission,
    checkpoints,
    branchIsolation,
    useWorktrees,
    preflight: work.preflight,
    sandbox,
    gates: work.gates,
    notify: work.notify,
    telemetry: work.telemetry,
    tools,
    push: section('Pushing accepted work.', {
      remote: described(
        z._default(z.nullable(TEXT), 'origin'),
        'Git remote that landed work is pushed to, if it exists; `null`: nothing is pushed.',
      ),
    }),
    land: choice(
      '`commit`: work lands as a commit on the current branch. `branch`: on a branch of the run, `harness/run/<run>`, which you merge; yours does not move. `pull-request`: it becomes a pull request on a branch of its own, and counts once that is merged.',
      ['commit', 'branch', 'pull-request'],
      'commit',
    ),
    forge,
    github,
    paths,
    logging: work.logging,
    compatibility,
    ...delivery,
    ...planned,
  });

export type ConfigSchema = ReturnType<typeof configSchemaFor>;
