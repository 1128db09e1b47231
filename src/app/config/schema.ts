// Everything a person may write in a configuration file: the one strict schema, in snake_case.
// What a key does today, `later.ts` says; what is not written becomes a default here or in resolve.ts.
import * as z from 'zod/mini';
import { agents, costs, models, quota } from './sections-agents.ts';
import { laterSections } from './sections-later.ts';
import { tools } from './sections-tools.ts';
import * as work from './sections-work.ts';
import { choice, list, TEXT, told } from './words.ts';

const PLAYBOOKS = ['features', 'delivery', 'mission', 'tasks', 'workflow'] as const;
const playbookPair = z.strictObject({
  backlog: told(z.enum(PLAYBOOKS), 'Whose file of work items.'),
  machine: told(z.enum(PLAYBOOKS), 'Whose way from ready to landed.'),
});

export const configSchema = z.strictObject({
  $schema: told(z.optional(z.string()), 'For editors; not read.'),
  playbook: told(z._default(z.union([z.enum(PLAYBOOKS), playbookPair]), 'features'), 'How the work is organised.'),
  project: work.project,
  agents,
  models,
  costs,
  quota,
  isolation: choice(
    'Where an agent works: in the repository itself, or in a worktree of its own.',
    ['in-place', 'worktree'],
    'in-place',
  ),
  dirty_tree: choice('What happens to uncommitted work at the start.', ['refuse', 'stash'], 'refuse'),
  environment: work.environment,
  testing: work.testing,
  session: work.session,
  verification: work.verification,
  features: work.features,
  quality: work.quality,
  preflight: work.preflight,
  sandbox: work.section('The box that commands of the project run in.', {
    level: choice(
      '`auto`: the strongest box this machine has. A level by its name: that one, or nothing is run. `none`: no box.',
      ['auto', 'bwrap', 'srt', 'pidns', 'none'],
      'auto',
    ),
    network: choice(
      'Of tests and other checks, where the level can close it; `srt` cannot open it. Environment scripts always have it.',
      ['closed', 'open'],
      'closed',
    ),
    agents: choice(
      '`inside`: the programs of agents run in the box too, where it is `bwrap`: they write the work tree and their own settings, nothing else. `outside`: with your rights.',
      ['inside', 'outside'],
      'inside',
    ),
    agent_folders: list('What agents in the box may write beside that: absolute paths, or `~/` and below.'),
  }),
  push: work.section('Whether accepted work leaves this machine.', {
    remote: told(
      z._default(z.nullable(TEXT), 'origin'),
      'Git remote that landed work is pushed to, where there is one of this name; `null`: nothing is pushed.',
    ),
  }),
  paths: work.paths,
  compatibility: work.compatibility,
  logging: work.logging,
  context: work.context,
  progress: work.progress,
  tools,
  gates: work.gates,
  ...laterSections,
});

export type Written = z.output<typeof configSchema>;
