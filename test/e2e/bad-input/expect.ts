// What every answer to bad input must be, whatever was wrong: one message that fits on a screen, with a place and a
// fix, as text and as JSON; nothing changed, nothing left running, no trace of the program's inside.
import { appendFileSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { SourceLocation } from '../../../src/model/failure.ts';
import type { BadInput, Reader } from './case.ts';
import type { Said, Stage } from './stage.ts';

type ErrorJson = {
  readonly schema: string;
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly why: string;
    readonly hint: string;
    readonly mend: readonly string[];
    readonly causes: readonly string[];
    readonly exit: number;
    readonly at: SourceLocation | null;
  };
};
const SCREEN = { lines: 24, characters: 2_400 };
const READERS: readonly Reader[] = ['person', 'program'];

/** Calls as each reader, each time on the stage as it was. */
export async function expectAnswer(stage: Stage, bad: BadInput): Promise<void> {
  for (const reader of bad.readers ?? READERS) {
    stage.reset();
    for (const [path, text] of Object.entries(bad.files ?? {})) stage.put(path, text);
    await bad.arrange?.(stage);
    const before = stage.picture();
    const head = bad.isLogged ? stage.git('rev-parse', 'HEAD') : '';
    const said = plain(stage, await stage.harness(reader === 'program' ? ['--json', ...bad.call] : bad.call));
    keepTranscript(bad, said);
    const all = `${said.stdout}${said.stderr}`;
    expect(said.code, all).toBe(bad.exit);
    expectNothingOfTheInside(all);
    if (reader === 'person') expectWords(bad, said);
    else expectJson(bad, said);
    expect(stage.survivors()).toEqual([]);
    if (bad.isLogged) expectOnlyLogged(stage, head);
    else expect(stage.picture()).toBe(before);
  }
}

/** Places of this machine as cases write them. */
function plain({ root, around }: Stage, { code, stdout, stderr }: Said): Said {
  const tidy = (text: string): string => text.replaceAll(`${root}/`, '').replaceAll(around, '{around}');
  return { code, stdout: tidy(stdout), stderr: tidy(stderr) };
}

function expectWords(bad: BadInput, { stdout, stderr }: Said): void {
  const text = bad.isProblem || bad.result ? stdout : stderr.slice(Math.max(0, stderr.search(/^error:/m)));
  for (const words of bad.says) expect(text).toContain(words);
  expect(text.split('\n').length, text).toBeLessThan(SCREEN.lines);
  expect(text.length, text).toBeLessThan(SCREEN.characters);
  if (bad.result) return;
  if (bad.isProblem) return expect(text).toContain('FAILED');
  expect(stderr.match(/^error:/gm), stderr).toHaveLength(1);
  expect(stdout).not.toMatch(/^error:/m);
  expect(text.split('\n')[0]).toContain(`[${bad.code}, exit ${bad.exit}]`);
  expect(text).toMatch(/^ {2}→ \S/m);
  if (bad.at !== undefined) expect(text).toContain(bad.at);
}

function expectJson(bad: BadInput, { stdout, stderr }: Said): void {
  if (bad.result) {
    expect(JSON.parse(stdout)).toMatchObject({ exit: bad.exit, items: [{ result: bad.result, reason: bad.code }] });
    expect(stderr).toBe('');
    return;
  }
  if (bad.isProblem) {
    const { problems } = JSON.parse(stdout) as { problems: readonly { code: string; message: string }[] };
    expect(problems.map(({ code }) => code).join(', ')).toBe(bad.code);
    for (const words of bad.says) expect(problems[0]?.message).toContain(words);
    expect(stderr).toBe('');
    return;
  }
  expect(stderr.trimEnd().split('\n'), stderr).toHaveLength(1);
  const { schema, error } = JSON.parse(stderr) as ErrorJson;
  const { message, why, hint, mend, causes, at } = error;
  expect([schema, error.code, error.exit]).toEqual(['harness.error/1', bad.code, bad.exit]);
  expect([message, hint, mend[0]]).toEqual([expect.stringMatching(/./), expect.stringMatching(/./), hint]);
  const words = [message, why, ...mend, ...causes, at?.file].join('\n');
  for (const expected of bad.says) expect(words).toContain(expected);
  expect(placeOf(at)).toBe(bad.at ?? '');
  if (stdout !== '') expect(JSON.parse(stdout)).toMatchObject({ exit: bad.exit });
}

function placeOf(at: SourceLocation | null): string {
  if (at === null) return '';
  const where = [at.file, at.line, at.line === undefined ? undefined : at.column];
  const key = at.key === undefined || at.key === '' ? '' : ` ${at.key}`;
  return `${where.filter((part) => part !== undefined).join(':')}${key}`;
}

/** A stack trace, an unfilled placeholder, an unexpected value. */
function expectNothingOfTheInside(text: string): void {
  expect(text).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m);
  expect(text.replaceAll(/\{(?:around|test_file|report)\}/g, '')).not.toMatch(/\{#?[a-z]\w*\}|\[\[|\]\]/);
  expect(text).not.toMatch(/\bundefined\b|\bNaN\b|\[object Object\]|This is a bug/);
}

/** The entry of the session waits for the next landing; the branch and the work tree are as they were. */
function expectOnlyLogged(stage: Stage, head: string): void {
  expect([stage.git('status', '--porcelain'), stage.git('rev-parse', 'HEAD')]).toEqual(['', head]);
  const pending = join(stage.root, '.git', 'harness', 'pending-log');
  expect(existsSync(pending) ? readdirSync(pending) : []).toEqual(['1.json']);
}

/** HARNESS_TRANSCRIPT=FILE collects everything that is said, to be read as a stranger would. */
function keepTranscript(bad: BadInput, { code, stdout, stderr }: Said): void {
  const file = process.env['HARNESS_TRANSCRIPT'];
  const text = `## ${bad.name}\n$ harness ${bad.call.join(' ')}\n${stdout}${stderr}(exit ${code})\n\n`;
  if (file !== undefined) appendFileSync(file, text);
}
