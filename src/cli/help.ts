// The help of the program: commands by group, then what works everywhere.
import process from 'node:process';
import type { Caller } from './command.ts';
import { COMMANDS } from './commands.ts';
import { GLOBAL_OPTIONS, type Parsed } from './parse.ts';

export function showHelp(parsed: Extract<Parsed, { kind: 'help' }>, caller: Caller): number {
  process.stdout.write(parsed.text ?? overview(caller));
  return 0;
}

function overview(caller: Caller): string {
  const groups = new Map<string, string[]>();
  for (const [name, { group, summary }] of Object.entries(COMMANDS))
    groups.set(group, [...(groups.get(group) ?? []), `  ${name.padEnd(16)}${summary}`]);
  return [
    caller.catalogue.text('help.what'),
    '',
    'Usage: harness [options] <command> [arguments]',
    '',
    ...[...groups].flatMap(([group, lines]) => [group, ...lines, '']),
    'EVERYWHERE',
    ...GLOBAL_OPTIONS.map(({ flags, about }) => `  ${flags.padEnd(20)}${about}`),
    '',
    caller.catalogue.text('help.first'),
    '',
  ].join('\n');
}
