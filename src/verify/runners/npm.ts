// What runners installed through npm share: how projects call them, and where a flag goes that has no environment variable.
import type { Invocation, TestCanary } from './runner.ts';
import { callsScript, scriptOf, type Scripts } from './scripts.ts';
import { insertAt, segments } from './shell.ts';

const LOCK_FILES: readonly (readonly [file: string, prefix: string])[] = [
  ['pnpm-lock.yaml', 'pnpm exec '],
  ['yarn.lock', 'yarn '],
  ['bun.lock', 'bunx '],
];

/** A runner whose program has the name of its package. */
export const npmInvocation = (
  name: string,
  { oneFile, everything }: Pick<Invocation, 'oneFile' | 'everything'>,
): Invocation => ({
  pattern: new RegExp(String.raw`\b${name}\b`),
  start: new RegExp(String.raw`^.*?\b${name}(?=\s|$)`),
  usual(files) {
    const [from, prefix] = LOCK_FILES.find(([file]) => files.has(file)) ?? [null, 'npx '];
    return { start: `${prefix}${name}`, from };
  },
  oneFile,
  everything,
  npmPackage: name,
});

const callOf = (name: string): RegExp =>
  new RegExp(
    String.raw`^(?:\w+=\S*\s+)*(?:(?:npx|bunx|pnpm|yarn|bun|npm|exec|run|dlx|x|node|env|cross-env|time|-\S+|\w+=\S*)\s+)*["']?(?:\S*\/)?_?${name}(?:\.[cm]?js)?["']?(?:\s|$)`,
  );

/**
 * Adds flags to the command that calls the runner, or to the call of a package.json script whose last command does.
 * `flags` gets what the command and its script hold already, and returns null where that excludes them.
 * null: they would not reach the runner.
 */
export function withFlags(
  command: string,
  name: string,
  scripts: Scripts,
  flags: (written: string) => string | null,
): string | null {
  const parts = segments(command);
  if (parts === null) return null;
  const pattern = callOf(name);
  const direct = parts.filter((p) => pattern.test(p.text));
  const candidates = direct.length > 0 ? direct : parts.filter((p) => callsScript(p.text));
  const [only] = candidates;
  if (only === undefined || candidates.length > 1) return null;
  const script = direct.length > 0 ? '' : scriptOf(only.text, scripts);
  // Flags of a script call go to its last command, and would be lost on their way through a second npm.
  const last = segments(script)?.at(-1)?.text ?? '';
  if (script !== '' && !pattern.test(last)) return null;
  const added = flags(`${only.text} ${script}`);
  if (added === null) return null;
  const isNpm = /^(?:\w+=\S*\s+)*npm\s/.test(only.text);
  return insertAt(command, only.end, isNpm && !/\s--\s/.test(only.text) ? `-- ${added}` : added);
}

/** The text of a canary in JavaScript: `differs` is the body of a test that compares two different values. */
export const threeTests = (test: string, differs: string, word: string): string =>
  `${test}('${word} fails', () => { throw new Error('canary'); });\n${test}('${word} differs', () => { ${differs}; });\n${test}('${word} passes', () => {});\n`;

/** A test file in JavaScript whose only test fails. `test`: the function that registers a test. */
export const stubIn = (test: string, from: string | null): ((title: string, steps: readonly string[]) => string) => {
  const imported = from === null ? '' : `import { ${test} } from '${from}';\n\n`;
  return (title, steps) =>
    `${imported}${test}(${JSON.stringify(title)}, () => {\n${steps.map((step) => `  // ${step}\n`).join('')}  throw new Error('not implemented');\n});\n`;
};

export const appended = (lines: string): TestCanary => ({ lines: `\n\n${lines}`, alone: lines });

/** The statement of a hook that makes every test fail. */
export const THROW = `throw new Error('every test is to fail');`;
