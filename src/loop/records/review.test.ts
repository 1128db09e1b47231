// What is kept of a verdict: the files that it rests on as they were judged, secrets masked, the same again for the same action.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { wholeEnvironment } from '../../host/environment.ts';
import { realIo } from '../../host/io.ts';
import { readReviewFile } from '../../model/review.ts';
import { createGit } from '../../repos/git.ts';
import { keepReview } from './review.ts';

test('a verdict is kept with the files that it rests on, as they were', async () => {
  const root = mkdtempSync(join(tmpdir(), 'harness-review-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
      cwd: root,
      encoding: 'utf8',
    }).trim();
  git('init', '-q');
  for (const file of ['old.js', 'gone.js', 'other.js', 'a.test']) writeFileSync(join(root, file), `${file}\n`);
  git('add', '-A');
  git('commit', '-qm', 'start');
  rmSync(join(root, 'gone.js'));
  writeFileSync(join(root, 'new.js'), 'new\n');
  git('add', '-A');
  git('commit', '-qm', 'work');
  const privateDir = join(root, '.git', 'harness');
  const context = {
    git: createGit({ root, env: wholeEnvironment(), token: 't' }),
    io: realIo(),
    clock: { iso: () => '2026-01-01T00:00:00.000Z' },
    privateDir,
    redact: (text: string) => text.replaceAll('hunter2', '***'),
  } as unknown as Parameters<typeof keepReview>[0];
  const said = {
    id: 'VAL-A-001',
    verdict: 'pass',
    path: './old.js:1',
    quote: 'hunter2 is it',
    why: '',
    found: true,
  } as const;
  const ask = {
    what: 'review',
    session: 3,
    review: {
      item: 'F-1',
      role: 'validator',
      by: 4,
      tree: git('rev-parse', 'HEAD^{tree}'),
      claims: [{ id: 'VAL-A-001', text: 'It is old.' }],
      assertions: [said, { ...said, path: 'output' }, { ...said, path: '' }],
      problems: [],
    },
    since: git('rev-parse', 'HEAD~1'),
    testFile: 'a.test',
  } as const;
  const kept = await keepReview(context, ask, 'run/1/kept');
  expect(kept.ok).toBe(true);
  await keepReview(context, ask, 'run/1/kept');
  const folders = readdirSync(join(privateDir, 'evidence'));
  expect(folders).toHaveLength(1);
  const review = readReviewFile(readFileSync(kept.ok ? kept.value : '', 'utf8'));
  expect(review?.files).toEqual([
    { path: 'a.test', id: git('rev-parse', 'HEAD:a.test') },
    { path: 'gone.js', id: null },
    { path: 'new.js', id: git('rev-parse', 'HEAD:new.js') },
    { path: 'old.js', id: git('rev-parse', 'HEAD:old.js') },
  ]);
  expect(review?.assertions[0]?.quote).toBe('*** is it');
  expect(readReviewFile('{')).toBeNull();
});
