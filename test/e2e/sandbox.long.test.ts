// The sandbox through the program itself: which level a run takes, what it refuses, and that tests really run inside.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { barePath } from '../support/bare-path.ts';
import { IS_EXHAUSTIVE } from '../support/effort.ts';
import { heldLevels } from '../support/levels.ts';
import { expectExit, session, work, workshop } from './workshop.ts';

const held = await heldLevels();
/** The strongest level that this machine holds; every one of them in CI. */
const tried = IS_EXHAUSTIVE ? [...held] : [...held].slice(0, 1);

describe('a machine without any sandbox', () => {
  const bare = (config = ''): ReturnType<typeof workshop> => {
    const shop = workshop({ config });
    shop.env['PATH'] = barePath(shop.around);
    return shop;
  };

  test('works one session and says aloud that nothing protects', async () => {
    const ran = await bare().harness('run');
    expectExit(ran, 0);
    expect(ran.stderr).toContain('No sandbox');
  });

  test('does not work for hours unless a person accepts it, by a word or in the configuration', async () => {
    const shop = bare();
    const refused = await shop.harness('run', '--until-done', '--json');
    expect([refused.code, refused.json()]).toMatchObject([5, { error: { code: 'sandbox-missing' } }]);
    expect(shop.subjects()).toEqual([]);
    const bounded = ['run', '--until-done', '--max-sessions', '1', '--json'];
    const accepted = await shop.harness(...bounded, '--i-accept-unsandboxed');
    expect([accepted.code, accepted.json()]).toMatchObject([6, { result: 'limit', sandbox: 'none', landed: ['1'] }]);
    const configured = await bare('sandbox: { level: none }').harness(...bounded);
    expect([configured.code, configured.json()]).toMatchObject([6, { sandbox: 'none', landed: ['1'] }]);
  });

  test('runs nothing where a level was asked for by name', async () => {
    const shop = bare('sandbox: { level: bwrap }');
    const refused = await shop.harness('run', '--json');
    expect([refused.code, refused.json()]).toMatchObject([5, { error: { code: 'sandbox-unusable' } }]);
    expect(refused.stderr).toContain('apt install bubblewrap');
    expect(shop.sessions()).toEqual([]);
  });

  test.each([
    ['en', 'srt: sandbox-runtime is not installed'],
    ['de', 'srt: sandbox-runtime ist nicht installiert'],
  ])('says in %s what a level lacks that was asked for by name, and what to do', async (language, lack) => {
    const shown = await bare('sandbox: { level: srt }').harness('doctor', '--lang', language);
    expectExit(shown, 5);
    expect(shown.stdout).toContain(lack);
    expect(shown.stdout).toContain('npm install -g @anthropic-ai/sandbox-runtime');
  });

  test('can be looked at and steered all the same', async () => {
    const shop = bare('sandbox: { level: bwrap }');
    expectExit(await shop.harness('status'), 0);
    expectExit(await shop.harness('skip', '1', '--reason', 'later'), 0);
  });
});

describe.each(tried)('at level %s', (level) => {
  const config = `sandbox: { level: ${level} }`;

  test('work lands, and evidence and summary name the level', async () => {
    const shop = workshop({ config });
    const ran = await shop.harness('run', '--json');
    expect([ran.code, ran.json()]).toMatchObject([0, { result: 'landed', sandbox: level, landed: ['1'] }]);
    const checks = JSON.parse(readFileSync(join(shop.root, String(ran.json()['evidence']), 'checks.json'), 'utf8'));
    expect(checks).toMatchObject({ sandbox: level });
  });

  test('a server that init.sh starts is there for the health check, and gone after the run', async () => {
    const shop = workshop({
      config: `${config}\n`,
      init: '#!/bin/sh\nsetsid sleep 600 >/dev/null 2>&1 &\necho $! > "$TMPDIR/pid"\n',
      files: { 'health.sh': 'kill -0 "$(cat "$TMPDIR/pid")"\n' },
    });
    shop.write(
      '.harness.yaml',
      shop.read('.harness.yaml').replace('reset: ./reset.sh', 'reset: ./reset.sh, health_check: sh health.sh'),
    );
    shop.git('commit', '-q', '-am', 'health');
    expectExit(await shop.harness('run'), 0);
    expect(shop.processes()).toEqual([]);
  });
});

describe.skipIf(!held.has('srt'))('sandbox-runtime', () => {
  test('is shown with what runs outside of it', async () => {
    const shown = await workshop({ config: 'sandbox: { level: srt }' }).harness('doctor');
    expectExit(shown, 0);
    expect(shown.stdout).toContain('checks run in: srt');
    expect(shown.stdout).toContain('agents and environment scripts run outside of it');
  });

  test('is not used where the network is to be open', async () => {
    const shop = workshop({ config: 'sandbox: { level: srt, network: open }' });
    const refused = await shop.harness('run', '--json');
    expect([refused.code, refused.json()]).toMatchObject([5, { error: { code: 'sandbox-unusable' } }]);
    expect(refused.stderr).toContain('it cannot open the network');
    expect(shop.sessions()).toEqual([]);
  });
});

describe.each(['bwrap', 'srt'] as const)('a test of an agent that reaches out, at level %s', (level) => {
  /** The agent's test does this, then passes. */
  const reaching = (line: string) => [
    ...work(1).filter((step) => step !== 'claim'),
    { write: { path: 'tests/bench.test', text: `bench is there|${line}; grep -q bench src/bench\n` } },
    'claim',
  ];

  test.skipIf(!tried.includes(level))(
    'writes nothing beside the work tree and no hook, and lands by what it proved',
    async () => {
      const line = 'echo x > ../stolen; echo x > .git/hooks/post-commit';
      const shop = workshop({ config: `sandbox: { level: ${level} }`, sessions: [session(1, ...reaching(line))] });
      expectExit(await shop.harness('run'), 0);
      expect(shop.trailers('HEAD')['Harness-Item']).toBe('1');
      expect(() => readFileSync(join(dirname(shop.root), 'stolen'))).toThrow('ENOENT');
      expect(() => readFileSync(join(shop.root, '.git/hooks/post-commit'))).toThrow('ENOENT');
    },
  );
});
