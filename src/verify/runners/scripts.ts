// The scripts of package.json that a command such as `npm test` calls. Runners ask whether a flag they add reaches them.
import { entryOf } from '../../model/entry.ts';
import { segments } from './shell.ts';

/** The `scripts` of a package.json. */
export type Scripts = { readonly [name: string]: string };

const CALL =
  /^(?:\w+=\S*\s+)*(?:npm|pnpm|yarn|bun)\s+(?:-\S+\s+)*(?:(?:run|run-script)\s+(?:-\S+\s+)*([^\s-]\S*)|(test|tst|t)(?=\s|$))/;
/** Scripts that call scripts are followed this deep: deeper is a cycle. */
const DEPTH = 5;

/** Whether this single command starts a script of package.json. */
export const callsScript = (text: string): boolean => CALL.test(text);

/** The text of the script that the command calls; '': it calls none, or none that exists. */
export function scriptOf(command: string, scripts: Scripts): string {
  const call = (segments(command) ?? []).map((s) => CALL.exec(s.text)).find((hit) => hit !== null);
  if (!call) return '';
  const name = call[1] ?? 'test';
  return entryOf(scripts, name) ?? '';
}

/** The same, following scripts that call scripts to the last one. */
export function scriptBehind(command: string, scripts: Scripts): string {
  let found = '';
  for (let depth = 0, next = scriptOf(command, scripts); next !== '' && depth < DEPTH; depth++) {
    found = next;
    next = scriptOf(next, scripts);
  }
  return found;
}
