// Keys of a mission: which roles take part, its limits, and where a user is asked.
import * as z from 'zod/mini';
import { choice, count, described, flag, KEYS, list, section, secondsOr, TEXT, textNeeded } from './values.ts';

/** A server of this machine, with a port of its own. */
function isOwnAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, port, pathname, search, hash, username } = new URL(text);
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname) || hostname.endsWith('.localhost');
  const isBare = pathname === '/' && search === '' && hash === '' && username === '';
  return ['http:', 'https:'].includes(protocol) && isHere && port !== '' && isBare;
}
const ADDRESS = z.string().check(z.refine(isOwnAddress)).register(KEYS, { allowed: 'http://127.0.0.1:<port>' });
const PAGE = z
  .string()
  .check(z.regex(/^\/(?![/\\])[^\s\p{C}]*$/u))
  .register(KEYS, { allowed: '/path' });

const ui = z.strictObject({
  start: textNeeded('Shell line of the development server, in the foreground; its port is in `PORT`.'),
  url: described(ADDRESS.check(), 'Where the server answers. In lane N the port is N higher.'),
  pages: described(
    z._default(z.array(PAGE).check(z.minLength(1), z.maxLength(20)), ['/']),
    'Pages that are opened, as paths on the server.',
  ),
  areas: list('Areas of assertions about the user interface: `UI` is that of `VAL-UI-001`.', ['UI']),
  browser: described(
    z._default(z.nullable(TEXT), null),
    'Name or absolute path of a Chromium; `null`: the first on the `PATH`.',
  ),
  startSeconds: secondsOr(60, 'How long the server may take until it answers.'),
  pageSeconds: secondsOr(15, 'How long a page may take until it is complete.'),
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
