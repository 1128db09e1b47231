// Signs of progress in the events of an agent: files it changed, tests and commands it ran, errors it met. Heuristics on real tool calls,
// never on what the agent says about itself. Pure.
import type { AgentEvent } from '../../model/event.ts';
import { commandIn, isEditing, runsTests } from '../../model/tool-call.ts';

export type Signs = { readonly files: number; readonly tests: number; readonly commands: number };
export const NO_SIGNS: Signs = { files: 0, tests: 0, commands: 0 };

/** A shell line that writes a file: a redirection, or a program that does. */
const WRITES =
  /(?:^|[^>&\d-])>>?\s*(?!\s*(?:&|\/dev\/))[^\s&|;]|\b(?:tee|patch|cp|mv|touch|mkdir)\b|\bsed\b.*\s-i|\bgit\s+apply\b/;
const TEST_OUTPUT = /\b\d+ (?:tests? )?(?:passed|passing|failed|failing)\b|^[#ℹ] (?:pass|fail) \d+/m;

/** `testCommands`: commands that run the tests of this repository. */
export function signsOf(event: AgentEvent, testCommands: readonly string[]): Signs {
  switch (event.t) {
    case 'file-change':
      return { ...NO_SIGNS, files: 1 };
    case 'tool-start': {
      const command = commandIn(event);
      if (command === null) return isEditing(event.name) ? { ...NO_SIGNS, files: 1 } : NO_SIGNS;
      const tests = runsTests(command, testCommands) ? 1 : 0;
      return { files: WRITES.test(command) ? 1 : 0, tests, commands: 1 };
    }
    case 'tool-end':
      return TEST_OUTPUT.test(event.output) ? { ...NO_SIGNS, tests: 1 } : NO_SIGNS;
    default:
      return NO_SIGNS;
  }
}

export const addSigns = (a: Signs, b: Signs): Signs => ({
  files: a.files + b.files,
  tests: a.tests + b.tests,
  commands: a.commands + b.commands,
});

/** A file, a test, or three commands. */
export const isProgress = ({ files, tests, commands }: Signs): boolean => files > 0 || tests > 0 || commands >= 3;

const ERROR_CHARS = 160;
const ERROR_WORDS = /error|exception|fail|fatal|denied|refused|cannot|not found|no such|undefined|traceback/i;

/**
 * The error of a failed call without numbers, addresses and folders, which differ between attempts, so that the same error gives the same
 * text. Null: the call did not fail, or printed nothing.
 */
export function errorOf(event: AgentEvent): string | null {
  if (event.t !== 'tool-end' || event.ok) return null;
  const lines = event.output.split('\n').map((line) => line.trim());
  const line = lines.find((one) => ERROR_WORDS.test(one)) ?? lines.find((one) => one !== '');
  if (line === undefined) return null;
  const same = line
    .slice(0, 1_000)
    .replaceAll(/(?:\/[\w.@+-]+)+\/(?=[\w.@+-])/g, '')
    .replaceAll(/0x[0-9a-f]+|\b[0-9a-f]{7,}\b|\d+/gi, '#');
  return same.slice(0, ERROR_CHARS);
}
