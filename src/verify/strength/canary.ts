// The canary: tests of known outcome with names nobody can guess, put behind an item's own test. What runs the tests must
// say of each what is true, or it cannot be believed about the others.
import { randomBytes } from 'node:crypto';
import type { RunnerName } from '../../model/config.ts';
import type { TestReport } from '../../model/report.ts';
import { nameOf } from './files.ts';
import { tokensOf } from './tokens.ts';

/** A word that nobody can guess, good as a part of a name anywhere. */
export const newWord = (): string => `c${randomBytes(6).toString('hex')}`;

export type Canary = {
  /** Lines behind the text of a test file. */
  readonly lines: string;
  /** A whole file of its own. */
  readonly alone: string;
};

/** null: this runner tells nothing of single tests, or in a form that no test can be added to. */
export function canaryFor(runner: RunnerName, file: string, text: string, word: string): Canary | null {
  switch (runner) {
    case 'node':
      return ofNode(file, text, word);
    case 'vitest':
      return simple(
        `import { test as t_${word}, expect as e_${word} } from 'vitest';\n${threeOf(`t_${word}`, `e_${word}(1).toBe(2)`, word)}`,
      );
    case 'jest':
      return simple(threeOf('test', 'expect(1).toBe(2)', word));
    case 'mocha':
      return simple(threeOf('it', `if (1 + 1 === 2) throw new Error('differs')`, word));
    case 'pytest':
      return simple(
        `def test_${word}_fails():\n    raise RuntimeError('canary')\n\n\ndef test_${word}_differs():\n    assert 1 == 2\n\n\ndef test_${word}_passes():\n    assert 1 == 1\n`,
      );
    default:
      return null;
  }
}

const simple = (lines: string): Canary => ({ lines: `\n\n${lines}`, alone: lines });

const threeOf = (test: string, differs: string, word: string): string =>
  `${test}('${word} fails', () => { throw new Error('canary'); });\n${test}('${word} differs', () => { ${differs}; });\n${test}('${word} passes', () => {});\n`;

function ofNode(file: string, text: string, word: string): Canary {
  const isModule = /\.m[jt]s$/.test(file) || (!/\.c[jt]s$/.test(file) && usesModules(text));
  const head = isModule
    ? `import { test as t_${word} } from 'node:test';\nimport a_${word} from 'node:assert';\n`
    : `const t_${word} = require('node:test');\nconst a_${word} = require('node:assert');\n`;
  const lines = head + threeOf(`t_${word}`, bothOf(`a_${word}`), word);
  return { lines: `\n;\n${lines}`, alone: lines };
}

/** Passes where either of the two sets of assertions has been replaced by one that never fails. */
const bothOf = (assert: string): string =>
  `try { ${assert}.equal(1, 2); return; } catch {} ${assert}.strict.equal(1, 2)`;

/** Written as a module, as far as its text tells. */
function usesModules(text: string): boolean {
  const tokens = tokensOf(text, 'js').filter((t) => t.kind !== 'line');
  const at = (word: string): boolean =>
    tokens.some(
      (t, i) =>
        t.kind === 'word' && t.text === word && (i === 0 || tokens[i - 1]?.text !== '.') && tokens[i + 1]?.text !== '(',
    );
  return at('import') || at('export') || !tokens.some((t, i) => t.text === 'require' && tokens[i + 1]?.text === '(');
}

/** A name beside the test file that its runner takes for a test file too. */
export function besides(file: string, word: string): string {
  const name = nameOf(file);
  const folder = file.slice(0, file.length - name.length);
  if (name.startsWith('test_')) return `${folder}test_${word}${name.slice(name.lastIndexOf('.'))}`;
  const dot = name.indexOf('.');
  const ending = /_test\.\w+$/.exec(name)?.[0] ?? name.slice(dot < 0 ? name.length : dot);
  return `${folder}${word}${ending}`;
}

export type CanarySays = 'true' | 'lies' | 'silent';

/** What a report says about canaries of this word. */
export function canarySays(report: TestReport | null, word: string): CanarySays {
  const of = (what: string) => report?.cases.find((c) => c.name.includes(word) && c.name.endsWith(what))?.status;
  const [fails, differs, passes] = [of('fails'), of('differs'), of('passes')];
  if (fails === 'passed' || differs === 'passed' || passes === 'failed') return 'lies';
  return fails === 'failed' && differs === 'failed' && passes === 'passed' ? 'true' : 'silent';
}
