// Turns what a runner reports about its tests into cases with ids: folded titles, relative paths, numbers for repeated titles.
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { failure, type Failure } from '../../model/failure.ts';
import type { TestCase, TestStatus } from '../../model/report.ts';

/** A case as its runner reports it, before it has an id. */
export type RawCase = {
  readonly file: string;
  readonly suite: readonly string[];
  readonly name: string;
  readonly status: TestStatus;
  readonly ms: number;
  readonly message: string;
};

/** The name of a case for the tests of a file that could not be run. It never passes, so it is never in a baseline. */
export const UNLOADED = '(did not load)';
/** The name of a case for a suite that was skipped as a whole or failed by itself. It never passes either. */
export const OF_SUITE = '(suite)';

const MESSAGE_CHARACTERS = 300;

/** Gives ids in the order of the report. Titles that repeat are numbered `#2`, `#3` … and no id is given twice. */
export function withIds(runner: string, raw: readonly RawCase[]): TestCase[] {
  const taken = new Set<string>();
  const seen = new Map<string, number>();
  return raw.map((c) => {
    const base = idOf(runner, c.file, c.suite, c.name);
    let ordinal = (seen.get(base) ?? 0) + 1;
    let id = ordinal === 1 ? base : `${base}#${ordinal}`;
    while (taken.has(id)) id = `${base}#${++ordinal}`;
    seen.set(base, ordinal);
    taken.add(id);
    return {
      ...c,
      id,
      runner,
      file: fold(c.file),
      suite: c.suite.map(fold),
      name: fold(c.name),
      ms: Number.isFinite(c.ms) && c.ms > 0 ? Math.round(c.ms) : 0,
      message: c.status === 'passed' ? '' : firstLine(c.message),
    };
  });
}

export const idOf = (runner: string, file: string, suite: readonly string[], name: string): string =>
  [runner, fold(file), suite.map(fold).join(' > '), fold(name)].join('|');

/** One spelling of a text: composed characters, single spaces. */
export const fold = (text: string): string => text.normalize('NFC').replace(/\s+/g, ' ').trim();

/** Repository-relative with forward slashes; a path outside the repository stays as it is. */
export function relativeTo(root: string, file: string): string {
  if (file === '') return '';
  const path = relative(root, resolve(root, file));
  const inside = path !== '' && path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
  return (inside ? path : file).split(sep).join('/');
}

/**
 * The first line that is not empty, with what follows if it ends in a colon ("Expected values to be equal:").
 * Cut between words, so that no part of a secret is left that masking would not recognise.
 */
export function firstLine(text: string): string {
  const lines = stripColours(text)
    .slice(0, 4_000)
    .split('\n')
    .map((l) => l.trim())
    .filter((l) => l !== '');
  const [first = ''] = lines;
  const message = first.endsWith(':') ? lines.join(' ') : first;
  if (message.length <= MESSAGE_CHARACTERS) return message;
  return `${message.slice(0, MESSAGE_CHARACTERS - 2).replace(/\s\S*$/, '')} …`;
}

// oxlint-disable-next-line no-control-regex -- the escape character is what is searched for
export const stripColours = (text: string): string => text.replace(/\u001B\[[0-9;?]*[A-Za-z]/g, '');

export const unreadable = (runner: string, why: string): { readonly ok: false; readonly failure: Failure } => ({
  ok: false,
  failure: failure('report-unreadable', { runner, why: firstLine(why) }),
});
