// Commits picked and branches merged by plumbing: what they have, and that nothing of the user moves.
import { expect, test } from 'vitest';
import { stage, valueOf, type Stage } from '../../test/stage/repository.ts';
import { mergeBranch, pickOnto } from './pick.ts';

const LOG = 'progress.txt';

/** `main` with one file, and a branch `work` with two commits that both add to the log. */
function shop(): { readonly s: Stage; readonly first: string; readonly second: string; readonly main: string } {
  const s = stage({ 'a.txt': 'a\n', 'b.txt': 'b\n', [LOG]: 'begin\n' });
  const main = s.sh('rev-parse', 'HEAD');
  s.sh('switch', '-q', '-c', 'work');
  s.write('a.txt', 'A\n');
  s.write(LOG, 'begin\none\n');
  const first = s.commit('one');
  s.write('b.txt', 'B\n');
  s.write(LOG, 'begin\none\ntwo\n');
  return { s, first, second: s.commit('two'), main };
}
const facts = (s: Stage) => [s.sh('for-each-ref'), s.sh('status', '--porcelain'), s.sh('rev-parse', 'HEAD')];
const commitOf = (made: object): string => ('commit' in made ? String(made.commit) : JSON.stringify(made));

test('a commit is picked without the one before it; the log grows by its own part', async () => {
  const { s, second, main } = shop();
  const before = facts(s);
  const ask = { commit: second, onto: main, message: 'two\n', growing: LOG };
  const picked = commitOf(valueOf(await pickOnto(s.git, ask)));
  expect(s.sh('show', '--format=%P', '--name-only', picked).split('\n').filter(Boolean)).toEqual([main, 'b.txt', LOG]);
  expect(s.sh('show', `${picked}:${LOG}`)).toBe('begin\ntwo');
  expect(commitOf(valueOf(await pickOnto(s.git, ask)))).toBe(picked);
  expect(facts(s)).toEqual(before);
});

test('without a log that grows, the same pick conflicts, and says where', async () => {
  const { s, second, main } = shop();
  const made = valueOf(await pickOnto(s.git, { commit: second, onto: main, message: 'two\n', growing: null }));
  expect(made).toEqual({ conflicts: [LOG] });
});

test('what is there already is not added again', async () => {
  const { s, first } = shop();
  const tree = s.sh('rev-parse', `${first}^{tree}`);
  const squashed = s.sh('commit-tree', tree, '-p', 'main', '-m', 'the same as a squash');
  const again = valueOf(await pickOnto(s.git, { commit: first, onto: squashed, message: 'one\n', growing: LOG }));
  expect(s.sh('rev-parse', `${commitOf(again)}^{tree}`)).toBe(tree);
});

test('the picked commit has the names and times of the original', async () => {
  const { s, first, main } = shop();
  s.sh('commit', '-q', '--amend', '--no-edit', '--date=2026-03-01T08:00:00+02:00', '--author=Eve <eve@example.org>');
  const commit = s.sh('rev-parse', 'HEAD');
  const picked = commitOf(valueOf(await pickOnto(s.git, { commit, onto: main, message: 'x\n', growing: LOG })));
  const format = '--format=%an %ae %ad %cn %cd';
  expect(s.sh('log', '-1', format, picked)).toBe(s.sh('log', '-1', format, commit));
  expect(first).not.toBe(commit);
});

test.each([
  ['merge', 2],
  ['squash', 1],
  ['rebase', 1],
] as const)('%s: a commit with %i parents', async (method, parents) => {
  const { s, second, main } = shop();
  s.sh('switch', '-q', 'main');
  s.write('c.txt', 'c\n');
  const base = s.commit('theirs');
  const made = valueOf(await mergeBranch(s.git, { base, head: second, method, title: 'title', message: 'Trailer: x' }));
  const commit = commitOf(made);
  expect(s.sh('log', '-1', '--format=%P', commit).split(' ')).toHaveLength(parents);
  expect(s.sh('ls-tree', '--name-only', commit).split('\n')).toEqual(['a.txt', 'b.txt', 'c.txt', LOG]);
  expect(s.sh('log', '-1', '--format=%s', commit)).toBe(method === 'rebase' ? 'two' : 'title');
  expect(s.sh('rev-list', '--count', `${main}..${commit}`)).toBe({ merge: '4', squash: '2', rebase: '3' }[method]);
});
