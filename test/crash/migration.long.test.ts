// State of an older harness, and a crash at every single durable write of its migration: the next run finishes it, the
// copy has the old state, and the end is the same as without a crash.
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { migrate } from '../../src/app/setup/migrate.ts';
import { openTarget } from '../../src/app/open/target.ts';
import { ok } from '../../src/model/result.ts';
import { MODES } from './dying-io.ts';
import { endState } from './end-state.ts';
import { runToTheEnd, runUntil, working, type ProcessRun } from './process-runs.ts';
import { diesAnywhere } from './points.ts';
import { lands } from './scenarios.ts';
import { openFixtureProject, type FixtureProject } from './fixture-project.ts';

const CLOCK = { now: () => Date.parse('2099-01-01T12:00:00.000Z'), iso: () => '2099-01-01T12:00:00.000Z' };
const SILENT = { event: () => undefined, agent: () => undefined };
const migrating =
  (backup: boolean): ProcessRun =>
  async (shop, io) => {
    const target = await openTarget({ repo: shop.root, configFile: null }, { io, clock: CLOCK });
    if (!target.ok) return target;
    const migrated = await migrate(target.value, { backup, command: 'harness migrate' }, SILENT);
    return migrated.ok ? ok({ reason: 'migrated' }) : migrated;
  };

const old = (shop: FixtureProject, schema: 1 | 2): void =>
  cpSync(join(import.meta.dirname, `../fixtures/state/schema-${schema}`), shop.stateDir, { recursive: true });

/** Files of the work tree that are the harness's, the lines of the log aside: they are not durable. */
function pictureOf(shop: FixtureProject): { readonly [path: string]: string } {
  return Object.fromEntries(
    readdirSync(shop.root)
      .filter((name) => name.startsWith('.harness') && name !== '.harness.yaml')
      .flatMap((name) => filesBelow(shop.root, name))
      .filter((path) => !path.startsWith('.harness/logs/'))
      .map((path) => [path, readFileSync(join(shop.root, path), 'utf8')]),
  );
}
const filesBelow = (root: string, at: string): readonly string[] =>
  readdirSync(join(root, at), { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(root, `${at}/${entry.name}`) : [`${at}/${entry.name}`]))
    .sort();

const fixture = (schema: 1 | 2): { readonly [path: string]: string } => {
  const root = join(import.meta.dirname, '../fixtures/state');
  return Object.fromEntries(
    filesBelow(root, `schema-${schema}`).map((path) => [
      path.slice(path.indexOf('/') + 1),
      readFileSync(join(root, path), 'utf8'),
    ]),
  );
};

let shop: FixtureProject | null = null;
afterEach(() => shop?.remove());

describe.each([
  [1, true],
  [2, true],
  [2, false],
] as const)('state of schema %i, with a copy: %s', (schema, backup) => {
  test('comes to the same end after a crash before, in and after every durable write', async () => {
    const made = openFixtureProject(lands.files, lands.script);
    shop = made;
    const begin = (): void => {
      made.renew();
      old(made, schema);
    };
    begin();
    const run = migrating(backup);
    const whole = await runUntil(run, made, 0, 'before');
    expect(whole.reason).toBe('migrated');
    const end = pictureOf(made);
    const copy = Object.entries(end).filter(([path]) => path.startsWith('.harness.backup.20990101/'));
    const bare = Object.fromEntries(copy.map(([path, text]) => [path.slice(path.indexOf('/') + 1), text]));
    expect(bare).toEqual(backup ? { ...fixture(schema), '.gitignore': '*\n' } : {});
    expect(whole.calls.length).toBeGreaterThan(backup ? 11 : 3);
    // Before a call is after the one before it: seen once is enough.
    for (const mode of schema === 2 && backup ? MODES : MODES.slice(1))
      for (let at = 1; at <= whole.calls.length; at += 1) {
        begin();
        const where = `${mode} #${at} ${whole.calls[at - 1]?.replaceAll(made.top, '')}`;
        expect((await runUntil(run, made, at, mode)).died, where).toBe(true);
        // Whatever was there before is somewhere whole, at this very moment too.
        const now = pictureOf(made);
        const kept = ['.harness', '.harness.backup.20990101'].some(
          (folder) => now[`${folder}/session_state.json`] === fixture(schema)['session_state.json'],
        );
        if (backup) expect(kept, where).toBe(true);
        expect(made.git('status', '--porcelain'), where).toBe('');
        expect(await runToTheEnd(run, made), where).toBe('migrated');
        expect(pictureOf(made), where).toEqual(end);
        expect(existsSync(join(made.privateDir, 'migration.json')), where).toBe(false);
        expect(endState(made)['leftovers'], where).toEqual([]);
      }
  });
});

test('a migration that began without a copy is finished without one', async () => {
  const made = openFixtureProject(lands.files, lands.script);
  shop = made;
  old(made, 2);
  const whole = await runUntil(migrating(false), made, 0, 'before');
  made.renew();
  old(made, 2);
  const at = whole.calls.findIndex((call) => call.endsWith('session_state.json')) + 1;
  expect((await runUntil(migrating(false), made, at, 'before')).died).toBe(true);
  expect(await runToTheEnd(migrating(true), made)).toBe('migrated');
  expect(readdirSync(made.root).filter((name) => name.includes('backup'))).toEqual([]);
});

diesAnywhere(
  {
    ...lands,
    name: 'a run over state of schema 1',
    run: working,
    before: (made) => old(made, 1),
    until: (call) => call.includes('/items/'),
  },
  { sample: 2, every: 6 },
);
