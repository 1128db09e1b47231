// The entry point: parses, runs the command, prints, and sets the exit code. No other file exits.
import process from 'node:process';
import { parseCall, type Parsed } from './parse.ts';
import { createCaller } from './caller.ts';
import { answerText, printBug, printFailure } from './print.ts';
import { EXIT, exitOf } from './exit-codes.ts';
import { surviveLostReaders } from './readers.ts';
import { stuck } from './stuck.ts';
import { wholeEnvironment } from '../host/environment.ts';
import { failureOfSystem } from '../host/files.ts';
import { limitHeap } from '../host/heap-limits.ts';
import { endAllShells } from '../host/starter.ts';
import type { Caller } from './command.ts';
import { COMMANDS } from './commands.ts';
import { askedLine } from './asked-line.ts';
import { GLOBAL_OPTIONS } from './words.ts';

async function main(argv: readonly string[]): Promise<number> {
  // Before anything is read: the answer may be kept (src/cli/glance.ts).
  const line = askedLine(argv, wholeEnvironment());
  const watch = line === null ? null : (await import('../app/look/keep-answer.ts')).watchAnswer(line);
  const parsed = await parseCall(argv);
  const caller = await createCaller(parsed.globals, process);
  const unfinished = stuck(process);
  try {
    if (parsed.kind === 'help') return showHelp(parsed, caller);
    if (parsed.kind === 'failure') {
      printFailure(parsed.failure, caller);
      return exitOf(parsed.failure);
    }
    const work = parsed.command.run({ args: parsed.args, options: parsed.options, caller });
    const answer = await Promise.race([work, unfinished]);
    if (!answer.ok) {
      printFailure(answer.failure, caller);
      return exitOf(answer.failure);
    }
    const { failure, exit } = answer.value;
    const text = answerText(parsed.command.name, answer.value, caller);
    if (text !== '') process.stdout.write(text);
    if (failure) printFailure(failure, caller, exit);
    else watch?.keep({ exit, text: Buffer.from(text) });
    return exit;
  } catch (error) {
    const refused = failureOfSystem(error);
    if (refused === null) {
      printBug(error, caller);
      return EXIT.bug;
    }
    printFailure(refused, caller);
    return exitOf(refused);
  } finally {
    watch?.drop();
    await endAllShells();
  }
}

function showHelp(parsed: Extract<Parsed, { kind: 'help' }>, caller: Caller): number {
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

limitHeap();
surviveLostReaders(process, EXIT.bug);
process.exitCode = EXIT.bug; // until it has ended
process.exitCode = await main(process.argv.slice(2));
