// What a session that judges sees in its box, with real mounts: the work and the documents that it is given, no document of the others, and no
// ref of the harness.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { stage, type Stage } from '../../test/stage/repository.ts';
import { openBox } from '../host/box.ts';
import { inBox } from '../host/sandbox/level.ts';
import { chooseLevel } from '../host/sandbox/probe.ts';
import { masksOf, unseenRules } from './session-view.ts';

const DOCS = 'docs/harness/sort';
const UNSEEN = { folders: ['.harness', DOCS], but: [`${DOCS}/spec.md`, `${DOCS}/qa_report.md`] };
const SECRET = 'THE-REASON';
const AGENT = { provider: 'claude', model: null, command: [], env: {}, scenario: null } as const;

/** With documents of other sessions in the work tree, in a loose ref and in a packed one. */
function worked(): Stage {
  const s = stage({ 'src/list.txt': 'sorted\n', [`${DOCS}/spec.md`]: '# Spec\n', 'README.md': 'hello\n' });
  for (const path of ['.harness/planner/plan.md', `${DOCS}/changes.md`, `${DOCS}/deep/er.md`])
    s.write(path, `${SECRET}\n`);
  s.sh('tag', 'v1');
  for (const name of ['packed', 'loose']) {
    const blob = s.sh('hash-object', '-w', '.harness/planner/plan.md');
    s.sh('update-ref', `refs/harness/checkpoints/${name}`, blob);
    if (name === 'packed') s.sh('pack-refs', '--all');
  }
  expect(readFileSync(join(s.root, '.git/packed-refs'), 'utf8')).toContain('refs/harness');
  return s;
}

const { level } = await chooseLevel('auto', process.cwd(), 'closed');
test.skipIf(level !== 'bwrap')('in the box of a judge, nothing names what the others wrote', async () => {
  const s = worked();
  const top = dirname(s.root);
  const [folder, home] = [join(top, 'session'), join(top, 'agent-home')];
  for (const path of [folder, join(home, '.claude/projects')]) mkdirSync(path, { recursive: true });
  writeFileSync(join(home, '.claude/projects/earlier.jsonl'), SECRET);
  const ask = { unseen: UNSEEN, agent: AGENT, env: { HOME: home } };
  const box = await openBox({ root: s.root, level: 'bwrap' });
  onTestFinished(() => box.close());
  const writable = [join(home, '.claude')];
  const run = (script: string): string => {
    const enclosure = box.enclose({ readable: [], writable, masks: masksOf(s, ask, folder) });
    const { argv, env } = inBox(enclosure, ['sh', '-c', script], { ...s.env, HOME: home });
    const ran = spawnSync(argv[0] ?? '', argv.slice(1), { cwd: s.root, env, encoding: 'utf8' });
    return ran.stdout + ran.stderr;
  };
  expect(run('cat src/list.txt docs/harness/sort/spec.md; git log -1 --format=%s; git tag')).toBe(
    'sorted\n# Spec\nstart\nv1\n',
  );
  const looks = [
    'cat .harness/planner/plan.md',
    `cat ${DOCS}/changes.md ${DOCS}/deep/er.md`,
    'grep -rs THE-REASON . --exclude-dir=objects',
    'cat "$HOME"/.claude/projects/earlier.jsonl',
    'git show refs/harness/checkpoints/packed; git show refs/harness/checkpoints/loose',
    'git for-each-ref refs/harness; cat .git/packed-refs',
  ];
  for (const look of looks) expect(run(look), look).not.toMatch(/THE-REASON|refs\/harness\/checkpoints\/\w+$/m);
  run(`echo report > ${DOCS}/qa_report.md; echo own > "$HOME"/.claude/projects/own.jsonl; echo x > .harness/x`);
  expect(readFileSync(join(s.root, DOCS, 'qa_report.md'), 'utf8')).toBe('report\n');
  expect(existsSync(join(s.root, '.harness/x'))).toBe(false);
  expect(run('cat "$HOME"/.claude/projects/own.jsonl')).toBe('own\n');
  expect(readFileSync(join(home, '.claude/projects/earlier.jsonl'), 'utf8')).toBe(SECRET);
});

test('the rules for tools name the same, with the transcripts and records of other sessions', () => {
  const s = worked();
  const ask = { unseen: UNSEEN, agent: AGENT, env: { HOME: '/home/ada' } };
  const records = ['/git/harness', '/shop/.harness/sessions'];
  const place = { ...s, userRoot: s.root, stateDir: '/shop/.harness', privateDir: '/git/harness' };
  expect(unseenRules(place, ask)).toEqual({ ...UNSEEN, outside: ['/home/ada/.claude/projects', ...records] });
  const codex = { ...ask, agent: { ...AGENT, provider: 'codex' as const }, env: { CODEX_HOME: '/srv/codex' } };
  expect(unseenRules(place, codex).outside).toEqual(['/srv/codex/sessions', ...records]);
  // In a work tree of its own it sees nothing of the user's either.
  const lane = { ...ask, unseen: { folders: ['.harness'], but: [] } };
  expect(unseenRules({ ...place, userRoot: '/shop' }, lane).outside).toEqual([
    '/home/ada/.claude/projects',
    ...records,
    '/shop/.harness',
  ]);
});
