// What the action `patch` tells whoever asked.
import { expect, test } from 'vitest';
import { stage, valueOf } from '../../../test/stage/repository.ts';
import type { PatchOutcome } from '../../model/action.ts';
import { takeCheckpoint } from '../../repos/checkpoint.ts';
import type { RunContext } from '../run-context.ts';
import { patches } from './patch.ts';

const diffOf = (path: string): string =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-one\n+secret\n`;

async function outcomeOf(diff: string, paths: readonly string[]): Promise<PatchOutcome> {
  const s = stage({ 'a.ts': 'one\n', 'secret.ts': 'one\n' });
  const ref = 'refs/harness/checkpoints/1';
  const taken = valueOf(await takeCheckpoint(s.git, { ref, message: 'm' }));
  const context = { git: s.git, redact: (text: string) => text.replaceAll('secret', '***') } as unknown as RunContext;
  const ask = { kind: 'patch', key: 'patch', checkpoint: { id: '1', ref, ...taken }, diff, paths } as const;
  const action = { token: 't', signal: new AbortController().signal, note: () => undefined };
  return (await patches(context).perform(ask, action as never)) as PatchOutcome;
}

test('a diff that fits is applied', async () => {
  expect(await outcomeOf(diffOf('a.ts'), ['a.ts'])).toEqual({ applied: true, why: '' });
});

test('one that does not is not; why, with secrets masked', async () => {
  const { applied, why } = await outcomeOf(diffOf('secret.ts'), ['a.ts']);
  expect([applied, why]).toEqual([false, 'it touches a path that was not judged: ***.ts']);
});
