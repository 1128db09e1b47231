// State of other versions of the harness, through the program itself on a real repository.
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Repo } from '../support/repo.ts';
import { expectExit, honest, workshop, type Workshop } from './workshop.ts';

const today = (): string => new Date().toISOString().slice(0, 10).replaceAll('-', '');
const backups = (repo: Repo): string[] => readdirSync(repo.root).filter((name) => name.startsWith('.harness.backup.'));
const stateOf = (repo: Repo): { [field: string]: unknown } =>
  JSON.parse(repo.read('.harness/session_state.json')) as { [field: string]: unknown };

/** As the reference wrote it; the tests it knew are not those of this project. */
function old(schema: 1 | 2, config = ''): Workshop {
  const repo = workshop({ sessions: honest, config });
  cpSync(join(import.meta.dirname, `../fixtures/state/schema-${schema}`), join(repo.root, '.harness'), {
    recursive: true,
  });
  if (schema === 2)
    repo.write(
      '.harness/test_baseline.json',
      '{ "session": 7, "timestamp": "2025-01-16T10:00:00Z", "passing_tests": [], "total_passing": 0, "total_tests": 0 }\n',
    );
  return repo;
}

describe('harness migrate', () => {
  test.each([
    [1, 'Migrated schema 1 → 2\nMigrated schema 2 → 3\n'],
    [2, 'Migrated schema 2 → 3\n'],
  ] as const)('brings state of schema %i here, with a copy that git does not see', async (schema, steps) => {
    const repo = old(schema);
    const before = stateOf(repo);
    repo.write('.harness/session_state.json', JSON.stringify({ ...before, mine: ['kept'] }));
    const needed = await repo.harness('version', '--json');
    expect([needed.code, needed.json()]).toMatchObject([
      11,
      { state_schema: 3, status: 'migration-needed', compatible: false, project: { schema, fit: 'older' } },
    ]);
    const migrated = await repo.harness('migrate');
    const name = `.harness.backup.${today()}`;
    expect([migrated.code, migrated.stdout]).toEqual([
      0,
      `Copied .harness/ to ${name}/\n${steps}Migration complete: the state has schema 3.\n`,
    ]);
    expect(stateOf(repo)).toEqual({
      ...before,
      harness_version: '1.2.1',
      schema_version: 3,
      timeout_count: 0,
      mine: ['kept'],
    });
    expect(JSON.parse(repo.read(`${name}/session_state.json`))).toEqual({ ...before, mine: ['kept'] });
    expect(readdirSync(join(repo.root, name))).toEqual(
      expect.arrayContaining(['.gitignore', 'checkpoints', 'costs.yaml', 'logs', 'session_state.json']),
    );
    expect(repo.git('status', '--porcelain')).toBe('');
    expect((await repo.harness('version', '--json')).json()).toMatchObject({ status: 'fits', compatible: true });
    const again = await repo.harness('migrate');
    expect([again.code, again.stdout]).toEqual([0, 'The state already has schema 3: nothing to migrate.\n']);
    expect(backups(repo)).toEqual([name]);
  });

  test('never writes over an earlier copy', async () => {
    const repo = old(2);
    mkdirSync(join(repo.root, `.harness.backup.${today()}`));
    writeFileSync(join(repo.root, `.harness.backup.${today()}`, '.gitignore'), '*\n');
    expect((await repo.harness('migrate', '--json')).json()).toMatchObject({
      from: 2,
      to: 3,
      backup: `.harness.backup.${today()}.2`,
    });
    expect(readdirSync(join(repo.root, `.harness.backup.${today()}`))).toEqual(['.gitignore']);
  });

  test('without a copy says so', async () => {
    const [asked, configured] = [old(2), old(2, 'compatibility: { backup_before_migrate: false }')];
    const first = await asked.harness('migrate', '--no-backup');
    expect([first.code, first.stdout]).toEqual([
      0,
      'WARNING: Proceeding without a copy of the old state.\nMigrated schema 2 → 3\nMigration complete: the state has schema 3.\n',
    ]);
    const second = await configured.harness('migrate');
    expect(second.stdout).toContain('compatibility.backup_before_migrate is false');
    expect([backups(asked), backups(configured)]).toEqual([[], []]);
  });

  test('has nothing to do where there is no state', async () => {
    const repo = workshop();
    expect((await repo.harness('migrate')).stdout).toBe('There is no state yet: nothing to migrate.\n');
    expect(existsSync(join(repo.root, '.harness'))).toBe(false);
  });

  test('changes nothing of state that is newer, or that would be none of ours', async () => {
    const repo = old(2);
    for (const [text, exit, code] of [
      ['{ "schema_version": 9 }', 11, 'state-newer'],
      ['{ "schema_version": 2, "last_session": "many", "status": "partial", "timestamp": "" }', 5, 'state-unreadable'],
    ] as const) {
      repo.write('.harness/session_state.json', text);
      const refused = await repo.harness('migrate', '--json');
      expect([refused.code, refused.json()]).toMatchObject([exit, { error: { code } }]);
      expect([repo.read('.harness/session_state.json'), backups(repo)]).toEqual([text, []]);
    }
  });
});

describe('harness run', () => {
  test.each([1, 2] as const)('migrates state of schema %i by itself, and works on', async (schema) => {
    const repo = old(schema);
    const ran = await repo.harness('run');
    expectExit(ran, 0);
    expect(ran.stderr).toContain(`The state is migrated; the old one is kept in .harness.backup.${today()}/`);
    expect(stateOf(repo)).toMatchObject({ schema_version: 3, last_session: 8, status: 'complete', timeout_count: 0 });
    const commits = repo.git('log', '--format=', '--name-only');
    expect(commits).toContain('src/bench');
    expect(commits).not.toContain('backup');
    const checkpoints = repo.git('for-each-ref', '--format=%(objectname)', 'refs/harness/checkpoints').split('\n');
    for (const one of checkpoints) expect(repo.git('ls-tree', '-r', '--name-only', one)).not.toContain('backup');
    expect(repo.git('status', '--porcelain')).toBe('');
    // Money that was spent before is still spent.
    expect(repo.read('.harness/costs.yaml')).toContain('total_sessions: 6');
    const told = await repo.harness('log', 'query', 'type=migrated', '--json');
    expect(told.json()).toMatchObject({ found: 1, lines: [{ level: 'critical', data: { to: 3 } }] });
  });

  test('refuses older state where it is configured to, and says how to continue', async () => {
    const repo = old(2, 'compatibility: { on_older_state: abort }');
    const refused = await repo.harness('run');
    expect(refused.code).toBe(11);
    expect(refused.stderr).toContain('→ harness migrate');
    expect(stateOf(repo)).toMatchObject({ schema_version: 2 });
    expect([backups(repo), repo.sessions()]).toEqual([[], []]);
    expectExit(await repo.harness('migrate'), 0);
    expectExit(await repo.harness('run'), 0);
  });

  test('with --dry-run changes nothing of older state', async () => {
    const repo = old(1);
    const dry = await repo.harness('run', '--dry-run');
    expect([dry.code, dry.stderr]).toEqual([11, expect.stringContaining('→ harness migrate')]);
    expect([stateOf(repo)['schema_version'], backups(repo)]).toEqual([undefined, []]);
  });

  test('finishes a migration that was cut off, whatever the configuration says of beginning one', async () => {
    const repo = old(2, 'compatibility: { on_older_state: abort }');
    mkdirSync(repo.privateDir, { recursive: true });
    writeFileSync(
      join(repo.privateDir, 'migration.json'),
      JSON.stringify({ schema: 2, backup: '.harness.backup.20250116', copied: false }),
    );
    expect((await repo.harness('version')).stdout).toContain('a migration was interrupted');
    expectExit(await repo.harness('run'), 0);
    expect([backups(repo), stateOf(repo)['schema_version']]).toEqual([['.harness.backup.20250116'], 3]);
    expect((await repo.harness('version')).code).toBe(0);
  });
});

describe('state of a newer harness', () => {
  const NEWER = {
    schema_version: 9,
    last_session: 4,
    status: 'complete',
    timestamp: '2027-01-01T00:00:00Z',
    later: [1],
  };

  test('is refused', async () => {
    const repo = workshop({ sessions: honest });
    repo.write('.harness/session_state.json', JSON.stringify(NEWER));
    for (const call of ['run', 'status', 'doctor']) {
      const refused = await repo.harness(call);
      expect([call, refused.code]).toEqual([call, call === 'doctor' ? 5 : 11]);
    }
    expect(stateOf(repo)).toEqual(NEWER);
  });

  test('is worked on where a person said so: said aloud, copied once, its number and fields kept', async () => {
    const repo = workshop({ sessions: honest, config: 'compatibility: { on_newer_state: warn }' });
    repo.write('.harness/session_state.json', JSON.stringify(NEWER));
    expect((await repo.harness('version', '--json')).json()).toMatchObject({
      status: 'newer-accepted',
      compatible: true,
    });
    expectExit(await repo.harness('status'), 0);
    const ran = await repo.harness('run');
    expectExit(ran, 0);
    expect(ran.stderr).toContain(`written by a newer harness (schema 9; this one knows 3)`);
    expect(stateOf(repo)).toMatchObject({ schema_version: 9, later: [1], last_session: 5 });
    expectExit(await repo.harness('run'), 0);
    expect(backups(repo)).toEqual([`.harness.backup.${today()}`]);
    expect(JSON.parse(repo.read(`.harness.backup.${today()}/session_state.json`))).toEqual(NEWER);
    expect(repo.git('status', '--porcelain')).toBe('');
  });
});
