// What every answer to something wrong must be, whatever was wrong: one message that fits on a screen, with a place and a
// mend, in words and as JSON; nothing changed, nothing left running, no trace of the program's inside.
import { appendFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { BadInput } from './case.ts';
import type { Said, Stage } from './stage.ts';

type ErrorJson = {
  readonly schema: string;
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly hint: string;
    readonly exit: number;
    readonly at: {
      readonly file: string;
      readonly line?: number;
      readonly column?: number;
      readonly key?: string;
    } | null;
  };
};
const SCREEN = { lines: 24, characters: 2_400 };

/** Calls once as a person and once as a program, each time on the stage as it was. */
export async function expectAnswer(stage: Stage, bad: BadInput): Promise<void> {
  for (const how of ['text', 'json'] as const) {
    stage.reset();
    for (const [path, text] of Object.entries(bad.files ?? {})) stage.put(path, text);
    bad.arrange?.(stage);
    const before = stage.picture();
    const said = await stage.harness(how === 'json' ? [...bad.call, '--json'] : bad.call);
    const all = `${said.stdout}${said.stderr}`;
    keepTranscript(bad, said);
    expect(said.code, all).toBe(bad.exit);
    expectNothingOfTheInside(all);
    if (how === 'text') expectWords(bad, said);
    else expectJson(bad, said);
    expect(stage.survivors()).toEqual([]);
    if (bad.isLogged) expectOnlyLogged(stage);
    else expect(stage.picture()).toBe(before);
  }
}

function expectWords(bad: BadInput, { stdout, stderr }: Said): void {
  const text = bad.isProblem ? stdout : stderr.slice(stderr.search(/^error:/m));
  for (const words of bad.says) expect(text).toContain(words);
  expect(text.split('\n').length, text).toBeLessThan(SCREEN.lines);
  expect(text.length, text).toBeLessThan(SCREEN.characters);
  if (bad.isProblem) return;
  expect(stderr.match(/^error:/gm), stderr).toHaveLength(1);
  expect(stdout).not.toMatch(/^error:/m);
  expect(text.split('\n')[0]).toContain(`[${bad.code}, exit ${bad.exit}]`);
  expect(text).toMatch(/^ {2}→ \S/m);
  if (bad.at !== undefined) expect(text).toContain(bad.at);
}

function expectJson(bad: BadInput, { stdout, stderr }: Said): void {
  if (bad.isProblem) {
    const { problems } = JSON.parse(stdout) as { problems: readonly { code: string; message: string }[] };
    expect(problems.map(({ code }) => code)).toEqual([bad.code]);
    expect(problems[0]?.message).not.toBe('');
    expect(stderr).toBe('');
    return;
  }
  expect(stderr.trimEnd().split('\n'), stderr).toHaveLength(1);
  const { schema, error } = JSON.parse(stderr) as ErrorJson;
  expect([schema, error.code, error.exit]).toEqual(['harness.error/1', bad.code, bad.exit]);
  expect(error.message).not.toBe('');
  expect(error.hint).not.toBe('');
  const { at } = error;
  const [where = '', key] = (bad.at ?? '').split(' ');
  const place = at === null ? '' : [at.file, at.line, at.line === undefined ? undefined : at.column];
  expect(
    at === null
      ? ''
      : (place as unknown[]).flatMap((part) => (part === undefined ? [] : [String(part as string | number)])).join(':'),
  ).toBe(where);
  if (key !== undefined) expect(at?.key).toBe(key);
  if (stdout !== '') expect(JSON.parse(stdout)).toMatchObject({ exit: bad.exit });
}

/** A trace, a hole in a sentence, a value nobody thought of. */
function expectNothingOfTheInside(text: string): void {
  expect(text).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m);
  expect(text).not.toMatch(/\{#?[a-z]+[A-Z]?[a-zA-Z]*\}(?<!\{test_file\}|\{report\})|\[\[|\]\]/);
  expect(text).not.toMatch(/\bundefined\b|\bNaN\b|\[object Object\]|This is a bug/);
}

function expectOnlyLogged(stage: Stage): void {
  expect(stage.git('status', '--porcelain')).toBe('');
  expect(stage.git('diff', '--name-only', 'HEAD~1', 'HEAD')).toBe('claude-progress.txt');
}

/** HARNESS_TRANSCRIPT=FILE collects everything that is said, to be read as a stranger would. */
function keepTranscript(bad: BadInput, { code, stdout, stderr }: Said): void {
  const file = process.env['HARNESS_TRANSCRIPT'];
  if (file !== undefined)
    appendFileSync(file, `## ${bad.name}\n$ harness ${bad.call.join(' ')}\n${stdout}${stderr}(exit ${code})\n\n`);
}
