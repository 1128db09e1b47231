// What the actions of a machine that remembers do: the note of a session once for its token, a curator's file from the work tree of its agent only.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { quickIo } from '../../../test/support/quick-io.ts';
import { folders } from '../../../test/support/signals.ts';
import type { MemoryAsk } from '../../model/memory.ts';
import { openMemory } from '../../memory/layers.ts';
import { memories } from '../performers/remember.ts';
import type { RunContext } from '../run-context.ts';

const folder = folders('harness-memory-asks-');

/** A run whose agent works in a lane. */
function run() {
  const top = folder();
  const [root, userRoot] = [join(top, 'lane'), join(top, 'user')];
  const memory = openMemory({
    stateDir: join(userRoot, '.harness'),
    workspaceDir: join(top, 'private'),
    personDir: join(top, 'person'),
    playbook: 'mission',
    roles: ['worker'],
    io: quickIo(),
    clock: { now: () => 0, iso: () => '2026-01-02T03:04:05.678Z' },
    redact: (text) => text,
  });
  const events: unknown[] = [];
  const context = { root, userRoot, memory, notify: (event: unknown) => events.push(event) } as unknown as RunContext;
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  const perform = (ask: MemoryAsk, token: string, session = 4) =>
    memories(context).perform(
      { kind: 'remember', key: 'k', session, ...ask },
      { token, epoch: 1, signal: new AbortController().signal },
    );
  return { top, root, userRoot, memory, events, put, perform };
}

const CURATED = '## Summary\nTwo are done.\n## Memory\nThe API is slow.\n## Promote\n- one\n';

test('a note of a lane is in the memory of the user’s work tree, once for its token', async () => {
  const { perform, userRoot } = run();
  const note = { what: 'memory', role: 'worker', item: 'F-1', lines: ['TRICK: one'] } as const;
  for (const token of ['a', 'a']) expect(await perform(note, token)).toEqual({ file: '.harness/memory/raw.md' });
  const text = readFileSync(join(userRoot, '.harness/memory/raw.md'), 'utf8');
  expect(text.match(/^## .*$/gm)).toEqual(['## 2026-01-02T03:04:05.678Z · session 4 · worker · F-1']);
  expect(text.match(/TRICK/g)).toHaveLength(1);
});

test('what a curator wrote in its work tree becomes the layers, and what it promoted is in the outcome', async () => {
  const { perform, put, root, memory } = run();
  for (const session of [4, 5])
    await perform({ what: 'memory', role: 'worker', item: null, lines: ['TRICK: one'] }, `t${session}`, session);
  put(join(root, 'curated.md'), CURATED);
  expect(await perform({ what: 'curated', file: 'curated.md' }, 'c')).toEqual({
    file: '.harness/memory/summary.md',
    files: ['.harness/memory/MEMORY.md'],
    curated: {
      isWritten: true,
      problems: [],
      repairs: [],
      promoted: [{ role: 'worker', trick: 'one' }],
      refused: [],
    },
  });
  expect(memory.forPrompt('worker')).toMatchObject({ value: { identity: '- one', summary: 'Two are done.' } });
});

test('a file that is missing, empty, a link, or outside of the work tree is a problem for the curator', async () => {
  const { perform, put, top, root, events } = run();
  put(join(top, 'secret.md'), CURATED);
  put(join(root, 'empty.md'), ' \n');
  symlinkSync(join(top, 'secret.md'), join(root, 'link.md'));
  symlinkSync(top, join(root, 'folder'));
  for (const file of ['none.md', 'empty.md', 'link.md', 'folder/secret.md', '../secret.md'])
    expect(await perform({ what: 'curated', file, isLast: true }, file)).toMatchObject({
      curated: { isWritten: false, problems: [{ code: 'output-missing', params: { file } }] },
    });
  expect(events).toEqual([]);
});

test('what is cut in the last attempt is an event', async () => {
  const { perform, put, root, events, memory } = run();
  put(join(root, 'curated.md'), CURATED.replace('Two', 'line\n'.repeat(60)));
  expect(await perform({ what: 'curated', file: 'curated.md' }, 'c1')).toMatchObject({ curated: { isWritten: false } });
  expect(await perform({ what: 'curated', file: 'curated.md', isLast: true }, 'c2')).toMatchObject({
    curated: { isWritten: true },
  });
  expect(events).toEqual([
    {
      type: 'memory-repaired',
      level: 'important',
      session: 4,
      data: { file: memory.files.summary, why: 'too-long' },
    },
  ]);
});
