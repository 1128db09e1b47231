import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { factOf } from '../../host/sources.ts';
import { keptBytes, LARGEST_BYTES, printKept, type KeptAnswer, type AnswerFile } from './kept-answers.ts';

function slot(): AnswerFile {
  const workspaceDir = mkdtempSync(join(tmpdir(), 'kept-answers-'));
  onTestFinished(() => rmSync(workspaceDir, { recursive: true, force: true }));
  return { workspaceDir, file: join(workspaceDir, 'answer'), key: 'the call' };
}
const textOf = (bytes: number): Buffer => Buffer.from('a line of text\n'.repeat(bytes / 15 + 1)).subarray(0, bytes);
const answer = (text: Buffer, more: Partial<KeptAnswer> = {}): KeptAnswer => ({
  exit: 0,
  text,
  sources: { list: [], from: 100, until: null },
  ...more,
});

function printed(of: AnswerFile, now = 150): { readonly exit: number | null; readonly text: string } {
  const parts: Buffer[] = [];
  const exit = printKept(of, now, (bytes) => void parts.push(Buffer.from(bytes)));
  return { exit, text: Buffer.concat(parts).toString() };
}

test.each([0, 1, 15, 40_000, 262_144, 1_000_003])('an answer of %i bytes is printed as it was', (bytes) => {
  const of = slot();
  writeFileSync(of.file, keptBytes(of.key, answer(textOf(bytes), { exit: 11 })));
  expect(printed(of)).toEqual({ exit: 11, text: textOf(bytes).toString() });
});

test.each([2_000, 40_000, 1_000_003])('of %i bytes, a lost end or a lost sector anywhere is noticed', (bytes) => {
  const of = slot();
  const whole = keptBytes(of.key, answer(textOf(bytes)));
  for (let at = 0; at + 512 <= whole.length; at += 512 * Math.ceil(bytes / 20_000)) {
    writeFileSync(of.file, Buffer.from(whole).fill(0, at, at + 512));
    expect(printed(of)).toEqual({ exit: null, text: '' });
    writeFileSync(of.file, whole.subarray(0, at));
    expect(printed(of)).toEqual({ exit: null, text: '' });
  }
});

test('of another call, over, or with a source that changed, nothing is printed', () => {
  const of = slot();
  const source = join(of.workspaceDir, 'source');
  const list = [{ kind: 'text', path: source, fact: factOf('text', source) ?? '' }] as const;
  writeFileSync(of.file, keptBytes(of.key, answer(textOf(9), { sources: { list, from: 100, until: 200 } })));
  expect(printed(of).exit).toBe(0);
  expect(printed({ ...of, key: 'another call' }).exit).toBe(null);
  expect([99, 200].map((now) => printed(of, now).exit)).toEqual([null, null]);
  writeFileSync(source, '');
  expect(printed(of).exit).toBe(null);
});

test.each([
  ['nothing', (): void => undefined],
  ['a link', ({ workspaceDir, file }: AnswerFile): void => symlinkSync(join(workspaceDir, 'other'), file)],
  ['an empty file', ({ file }: AnswerFile): void => writeFileSync(file, '')],
  ['one that is too large', ({ file }: AnswerFile): void => writeFileSync(file, Buffer.alloc(LARGEST_BYTES + 1))],
])('%s in its place: nothing is printed', (_, put) => {
  const of = slot();
  writeFileSync(join(of.workspaceDir, 'other'), keptBytes(of.key, answer(textOf(9))));
  put(of);
  expect(printed(of)).toEqual({ exit: null, text: '' });
});

test('a reader that is gone is an error, not a reason to print it once more', () => {
  const of = slot();
  writeFileSync(of.file, keptBytes(of.key, answer(textOf(1_000_003))));
  let times = 0;
  const fails = (): void => {
    times += 1;
    throw new Error('EPIPE');
  };
  expect(() => printKept(of, 150, fails)).toThrow('EPIPE');
  expect(times).toBe(1);
});
