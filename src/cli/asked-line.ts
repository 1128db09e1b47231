// A call as the smallest start of the program sees it (glance.ts), and as the whole program keeps its answer.
import { fstatSync } from 'node:fs';
import process from 'node:process';
import type { AskedLine } from '../app/look/kept-answers.ts';
import { userEnvironment } from '../host/user-environment.ts';
import { keepable } from './words.ts';

/** Null: the answer to such a call is not kept. */
export function askedLine(
  argv: readonly string[],
  env: { readonly [name: string]: string | undefined },
): AskedLine | null {
  const call = keepable(argv);
  if (call === null) return null;
  // Loaded for a device only: most calls of programs have a pipe.
  const isTerminal = fstatSync(1).isCharacterDevice() && process.getBuiltinModule('node:tty').isatty(1);
  return { argv, cwd: process.cwd(), repo: call.repo, isTerminal, environment: userEnvironment(env) };
}
