// Keys of a mission: which roles take part, its limits, and where a user is asked.
import * as z from 'zod/mini';
import { SERVER_LINE, served } from './server.ts';
import { choice, count, described, flag, list, section, TEXT, textNeeded } from './values.ts';

const ui = z.strictObject({
  start: textNeeded(SERVER_LINE),
  areas: list('Areas of assertions about the user interface: `UI` is that of `VAL-UI-001`.', ['UI']),
  ...served,
});

export const mission = section('Which roles take part in a mission, and its limits.', {
  maxIterations: count('Sessions of workers in one run, at most.', [1, 100_000], 200),
  crosscheck: flag(
    'A second role, with a model of its own (`agents.roles.crosscheck`), checks each verdict of the validator.',
    false,
  ),
  competitors: count(
    'Workers that attempt each feature, one after the other; a judge chooses among the attempts that hold. 1: no competition.',
    [1, 8],
    1,
  ),
  documenter: flag('A feature that was validated is documented before it lands.', false),
  debugAfter: count('A debugger looks for the cause after so many failed sessions of a feature.', [1, 100], 2),
  curateEvery: count('The memory is renewed after so many new entries.', [1, 10_000], 12),
  smoke: described(
    z._default(z.nullable(TEXT), null),
    'Shell line that must succeed after each validated feature and at the end; `null`: none.',
  ),
  ui: described(
    z._default(z.nullable(ui), null),
    'A role judges what a browser shows of each feature with an assertion about the user interface; `null`: none does.',
  ),
});

export const TRIGGERS = ['post-planner', 'pre-done'] as const;

export const checkpoints = section('Points of a mission at which a user is asked.', {
  types: described(
    z._default(
      z.array(
        z.strictObject({
          name: described(TEXT, 'Its name.'),
          triggerOn: choice(
            '`post-planner`: before the first feature. `pre-done`: before the mission ends.',
            TRIGGERS,
            'post-planner',
          ),
        }),
      ),
      [],
    ),
    'One entry per point.',
  ),
});

export const branchIsolation = section('A branch for each feature: the same as `isolation: worktree`.', {
  enabled: flag('Whether agents work in a work tree of their own.', false),
});
export const useWorktrees = flag('A work tree for each parallel session: the same as `isolation: worktree`.', false);
