// The prompt of a turn: what is remembered is in that of a machine that remembers, also in a lane, and no other's.
import { Buffer } from 'node:buffer';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { quickIo } from '../../test/support/quick-io.ts';
import { folders } from '../../test/support/signals.ts';
import { defineBrief, openingSay } from '../engine/definitions.ts';
import { openMemory } from '../memory/layers.ts';
import type { SessionAsk } from '../model/action.ts';
import { ok } from '../model/result.ts';
import { composeTurn } from './prompt.ts';

const folder = folders('harness-prompt-');
const brief = defineBrief({
  id: 'test/prompt-brief',
  input: z.object({ about: z.string() }),
  text: async ({ memory }, { about }) => {
    const fresh = memory?.freshness();
    return `${about}, ${fresh?.ok === true ? fresh.value.fresh : 'no'} notes`;
  },
});
const askOf = (session: number, about: string) =>
  ({
    role: 'worker',
    session,
    turn: 1,
    attempt: 1,
    item: 'F-1',
    title: 'Sign in',
    output: '',
    say: openingSay(brief, { about }),
  }) as unknown as SessionAsk;

function runs() {
  const top = folder();
  const memory = openMemory({
    stateDir: join(top, 'user/.harness'),
    workspaceDir: join(top, 'private'),
    personDir: join(top, 'person'),
    playbook: 'mission',
    roles: ['worker'],
    io: quickIo(),
    clock: { now: () => 0, iso: () => '2026-01-02T03:04:05.678Z' },
    redact: (text) => text,
  });
  const contextOf = (root: string, remembers?: true) =>
    ({
      root,
      memory,
      roles: { load: async () => ok({ prompt: '# You work', mode: 'exec' }) },
      catalogue: { problem: ({ code }: { readonly code: string }) => code },
      machine: { name: 'mission', ...(remembers === undefined ? {} : { remembers }) },
    }) as unknown as Parameters<typeof composeTurn>[0];
  const compose = async (context: Parameters<typeof composeTurn>[0], ask: SessionAsk) => {
    const made = await composeTurn(context, ask);
    if (!made.ok) throw new Error(made.failure.reason);
    return made.value;
  };
  const put = (file: string, text: string): void => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  return { memory, contextOf, compose, put, userRoot: join(top, 'user') };
}

test('sessions of a role in the user’s work tree and in a lane begin with the same bytes, which have its memory', async () => {
  const { memory, contextOf, compose, put, userRoot } = runs();
  put(memory.files.summary, 'Two are done.\n');
  memory.identities.learn('worker', ['run one file']);
  memory.append([{ session: 1, role: 'worker', item: null, lines: ['x'] }], 't');
  const one = await compose(contextOf(userRoot, true), askOf(3, 'Go'));
  const other = await compose(contextOf('/lane', true), askOf(4, 'Continue'));
  const stable =
    '# You work\n\n# What this role has learnt\n\n- run one file\n\n# What has happened so far\n\nTwo are done.\n\n# This session\n\n';
  for (const { text } of [one, other])
    expect(Buffer.from(text).subarray(0, Buffer.byteLength(stable)).toString()).toBe(stable);
  expect(one.text.slice(stable.length)).toMatch(/^Go, 1 notes\n\n## Runtime context\n/);
  expect(other.text.slice(stable.length)).toMatch(/^Continue, 1 notes\n\n## Runtime context\n/);
});

test('a broken summary is fixed on the way, and is in the result', async () => {
  const { memory, contextOf, compose, put, userRoot } = runs();
  put(memory.files.summary, 'Two are done.\u0000\n');
  const { text, repairs } = await compose(contextOf(userRoot, true), askOf(3, 'Go'));
  expect(text).toContain('\n\nTwo are done.\n\n');
  expect(repairs).toEqual([{ file: memory.files.summary, why: 'binary' }]);
});

test('a machine that does not remember has the prompt that it had', async () => {
  const { memory, contextOf, compose, put, userRoot } = runs();
  put(memory.files.summary, 'Two are done.\n');
  expect(await compose(contextOf(userRoot), askOf(3, 'Go'))).toEqual({
    mode: 'exec',
    stable: '# You work\n\n# This session\n\n'.length,
    text:
      '# You work\n\n# This session\n\nGo, no notes\n\n## Runtime context\nPLAYBOOK=mission\nROLE=worker\nITEM=F-1\nTITLE=Sign in\n' +
      `WORKDIR=${userRoot}\nSESSION=3\nATTEMPT=1\n`,
  });
});
