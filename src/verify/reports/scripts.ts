// What stands behind `npm test` and its kind: the scripts of package.json, as far as a command calls them.
// Owns no runner: adapters ask it whether what they would add reaches the runner.
import { entryOf } from '../../model/entry.ts';
import { segments } from './shell.ts';

/** The `scripts` of a package.json. */
export type Scripts = { readonly [name: string]: string };

const CALL =
  /^(?:\w+=\S*\s+)*(?:npm|pnpm|yarn|bun)\s+(?:-\S+\s+)*(?:(?:run|run-script)\s+(?:-\S+\s+)*([^\s-]\S*)|(test|tst|t)(?=\s|$))/;
/** Scripts that call scripts are followed so far: further down is a circle. */
const DEPTH = 5;

/** Whether this single command starts a script of package.json. */
export const callsScript = (text: string): boolean => CALL.test(text);

/** The text of the script that the command calls; '' where it calls none that is known. */
export function scriptOf(command: string, scripts: Scripts): string {
  const call = (segments(command) ?? []).map((s) => CALL.exec(s.text)).find((hit) => hit !== null);
  if (!call) return '';
  const name = call[1] ?? 'test';
  return entryOf(scripts, name) ?? '';
}

/** The same, followed to the last script where scripts call scripts. */
export function scriptBehind(command: string, scripts: Scripts): string {
  let found = '';
  for (let depth = 0, next = scriptOf(command, scripts); next !== '' && depth < DEPTH; depth++) {
    found = next;
    next = scriptOf(next, scripts);
  }
  return found;
}
