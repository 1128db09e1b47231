// Flags that the harness adds to a runner's command must not change what tests see: jest and mocha may run tests in the very process that
// got them. A small file, loaded before the runner by NODE_OPTIONS, shows them to the runner alone.
import { join, dirname } from 'node:path';
import type { Instrumented } from './runner.ts';
import { withVariable } from './shell.ts';

/**
 * `flags`: the words as the runner gets them. The runner reads its arguments while its main file is loaded, by `slice`; before the first
 * test the list is without the flags, and NODE_OPTIONS is as it was.
 */
const textFor = (flags: readonly string[], path: string): string => `'use strict';
const own = require('node:process');
const flags = new Set(${JSON.stringify(flags)});
if (/(?:^|[\\\\/])_?(?:jest|mocha)(?:\\.[cm]?js)?$/.test(own.argv[1] ?? '') && own.argv.some((word) => flags.has(word))) {
  const whole = [...own.argv];
  const seen = whole.filter((word) => !flags.has(word));
  Object.defineProperty(seen, 'slice', { value: (...range) => whole.slice(...range), configurable: true });
  own.argv = seen;
  setImmediate(() => { delete seen.slice; });
  const rest = (own.env.NODE_OPTIONS ?? '').split(' ').filter((word) => !word.includes(${JSON.stringify(path)})).join(' ');
  if (rest === '') delete own.env.NODE_OPTIONS;
  else own.env.NODE_OPTIONS = rest;
}
`;

/** The command with its flags, which tests do not see. null stays null. A report path with a blank cannot be put into NODE_OPTIONS. */
export function withHiddenFlags(
  command: string | null,
  flags: readonly string[],
  reportPath: string,
): Instrumented | null {
  if (command === null) return null;
  const path = join(dirname(reportPath), 'flags.cjs');
  if (/[\s"'\\]/.test(path)) return { command, env: {}, from: 'file' };
  return {
    ...withVariable(command, 'NODE_OPTIONS', `--require=${path}`),
    from: 'file',
    needs: [{ path, text: textFor(flags, path) }],
  };
}
