import { expect, test } from 'vitest';
import { verdict as verdictOf } from '../../test/support/outcomes.ts';
import { failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import type { Verdict } from '../model/verdict.ts';
import { openSharedChecks } from './shared-checks.ts';

const verdict = (tree: string): Verdict => verdictOf({ tree });

/** Lanes that ask for a check by its key. What runs is ended by the test, and every lane names what it came to. */
function lanes() {
  const shared = openSharedChecks();
  const running: { readonly lane: number; readonly end: (result: Result<Verdict>) => void }[] = [];
  const ask = (lane: number, key: string, signal = new AbortController().signal) =>
    shared.run(
      key,
      signal,
      () => new Promise<Result<Verdict>>((end) => running.push({ lane, end })),
      (other) => ok({ ...other, evidence: `copy of lane ${lane}` }),
    );
  return { running, ask };
}
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('lanes that ask for the same check at the same time run it once, and each gets its verdict', async () => {
  const { running, ask } = lanes();
  const asked = [ask(1, 'a'), ask(2, 'a'), ask(3, 'b'), ask(4, 'a')];
  await settled();
  expect(running.map(({ lane }) => lane)).toEqual([1, 3]);
  running[0]?.end(ok(verdict('tree a')));
  running[1]?.end(ok({ ...verdict('tree b'), holds: false }));
  const copy = (lane: number) => ok({ ...verdict('tree a'), evidence: `copy of lane ${lane}` });
  expect(await Promise.all(asked)).toEqual([
    ok(verdict('tree a')),
    copy(2),
    ok({ ...verdict('tree b'), holds: false }),
    copy(4),
  ]);
});

test('one that asks later runs the check again: what was known then is kept elsewhere', async () => {
  const { running, ask } = lanes();
  const first = ask(1, 'a');
  running[0]?.end(ok(verdict('a')));
  await first;
  void ask(2, 'a');
  expect(running.map(({ lane }) => lane)).toEqual([1, 2]);
});

test('a run that failed or was aborted is no verdict for the others: one of them runs the check', async () => {
  const { running, ask } = lanes();
  const stop = new AbortController();
  const failed = err(failure('workspace-unusable', { path: '/tmp', words: 'full' }));
  const asked = [ask(1, 'a', stop.signal), ask(2, 'a'), ask(3, 'a')];
  stop.abort();
  running[0]?.end(ok(verdict('half')));
  await settled();
  expect(running.map(({ lane }) => lane)).toEqual([1, 2]);
  running[1]?.end(failed);
  await settled();
  expect(running.map(({ lane }) => lane)).toEqual([1, 2, 3]);
  running[2]?.end(ok(verdict('a')));
  expect(await Promise.all(asked)).toEqual([ok(verdict('half')), failed, ok(verdict('a'))]);
});

test('an aborted lane does not wait for another one', async () => {
  const { running, ask } = lanes();
  const stop = new AbortController();
  void ask(1, 'a');
  void ask(2, 'a', stop.signal);
  await settled();
  stop.abort();
  await settled();
  expect(running.map(({ lane }) => lane)).toEqual([1, 2]);
});

test('where the check throws, the next lane runs it', async () => {
  const shared = openSharedChecks();
  const { signal } = new AbortController();
  const thrown = shared.run('a', signal, () => Promise.reject(new Error('no disk')), ok);
  const next = shared.run('a', signal, () => Promise.resolve(ok(verdict('a'))), ok);
  await expect(thrown).rejects.toThrow('no disk');
  expect(await next).toEqual(ok(verdict('a')));
});
