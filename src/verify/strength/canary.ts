// The canary: tests of known outcome with unguessable names, appended to an item's own test. A run that reports a wrong
// outcome for one of them cannot be trusted about the others. The runner defines the canary's code.
import { randomBytes } from 'node:crypto';
import type { TestReport } from '../../model/report.ts';
import { nameOf } from './files.ts';
import { familyOf } from './tokens.ts';

/** An unguessable word that is valid as part of a name anywhere. */
export const newWord = (): string => `c${randomBytes(6).toString('hex')}`;

/** Another test file name in the folder of the test file. */
export function besides(file: string, word: string): string {
  const name = nameOf(file);
  const folder = file.slice(0, file.length - name.length);
  if (name.startsWith('test_')) return `${folder}test_${word}${name.slice(name.lastIndexOf('.'))}`;
  const dot = name.indexOf('.');
  const ending = /_test\.\w+$/.exec(name)?.[0] ?? name.slice(dot < 0 ? name.length : dot);
  return `${folder}${word}${ending}`;
}

/**
 * For a runner that reports no single tests, or in what the tests print: lines that make the test file fail where its end is reached. What
 * passes all the same is decided by something else than its tests. null: not known for its language.
 */
export function failingLines(file: string, word: string): string | null {
  switch (familyOf(file)) {
    case 'js':
      return `\n;{\n  const assert = globalThis.process?.getBuiltinModule?.('node:assert');\n  if (assert) assert.strictEqual(1, 2, '${word}');\n  throw new Error('${word}');\n}\n`;
    case 'py':
      return `\n\nassert 1 == 2, '${word}'\n`;
    case null:
      return null;
  }
}

/** The exit code that a run is made to have. */
export const MADE_EXIT = 97;
/** Lines that set this exit code without a failure; null: not known for the language of the file. */
export const exitLines = (file: string): string | null =>
  familyOf(file) === 'js'
    ? `\n;{\n  const own = globalThis.process;\n  if (own) own.exitCode = ${MADE_EXIT};\n}\n`
    : null;

/** The test file may end its own run before its last line. */
export const mayEndEarly = (text: string): boolean => /\b(?:exit|reallyExit|_exit|abort|main|quit)\s*\(/.test(text);

export type TestCanaryResult = 'true' | 'lies' | 'silent';

/** The result of the canary with this word. */
export function canaryResult(report: TestReport | null, word: string): TestCanaryResult {
  const of = (what: string) => report?.cases.find((c) => c.name.includes(word) && c.name.endsWith(what))?.status;
  const [fails, differs, passes] = [of('fails'), of('differs'), of('passes')];
  if (fails === 'passed' || differs === 'passed' || passes === 'failed') return 'lies';
  return fails === 'failed' && differs === 'failed' && passes === 'passed' ? 'true' : 'silent';
}
