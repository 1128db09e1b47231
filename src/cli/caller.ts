// Creates the caller of a command from the terminal: language, colours, questions, interrupts.
import { resolve } from 'node:path';
import { styleText } from 'node:util';
import { openFullCatalogue, userLanguage } from '../app/open/language.ts';
import { readEnvironment } from '../host/environment.ts';
import { chooseLanguage, primaryTag } from '../host/language.ts';
import type { Caller } from './command.ts';
import type { Globals } from './parse.ts';
import { onReaderLeft } from './readers.ts';
import type { Region } from './show/live/region.ts';

type Terminal = Pick<NodeJS.Process, 'cwd' | 'stdin' | 'stdout' | 'stderr' | 'on' | 'off'>;

export async function createCaller(globals: Globals, terminal: Terminal): Promise<Caller> {
  const surroundings = readEnvironment();
  const repo = resolve(terminal.cwd(), globals.repo ?? surroundings.repo ?? '.');
  const said = { HARNESS_LANG: surroundings.lang ?? undefined, LANG: surroundings.locale ?? undefined };
  const languageFor = (work: string | null) => chooseLanguage({ flag: globals.lang, config: work, env: said });
  const catalogue = await openFullCatalogue(languageFor(userLanguage(repo)));
  const noInput = globals.noInput || !terminal.stdin.isTTY || !terminal.stderr.isTTY;
  const painter = (stream: { readonly isTTY: boolean }): Caller['paint'] => {
    const isColoured =
      globals.color === 'always' || (globals.color !== 'never' && stream.isTTY && !surroundings.noColor);
    return (style, text) => (isColoured ? styleText(style, text, { validateStream: false }) : text);
  };
  let region: Region | null = null;
  const caller: Caller = {
    cwd: terminal.cwd(),
    surroundings,
    catalogue,
    language: primaryTag(globals.lang ?? surroundings.lang ?? surroundings.locale ?? ''),
    async inUserLanguage(lang) {
      const now = languageFor(lang ?? userLanguage(repo));
      return { ...caller, catalogue: now === catalogue.lang ? catalogue : await openFullCatalogue(now) };
    },
    repo,
    configFile: globals.config,
    json: globals.json,
    noInput,
    yes: globals.yes,
    quiet: globals.quiet,
    verbose: globals.verbose,
    paint: painter(terminal.stderr),
    tint: painter(terminal.stdout),
    onScreen: terminal.stdout.isTTY,
    print(line) {
      terminal.stdout.write(`${line}\n`);
    },
    say(line) {
      if (globals.quiet || (globals.json && !globals.verbose)) return;
      if (region === null) terminal.stderr.write(`${line}\n`);
      else region.above(line);
    },
    async openRegion(name, redraw) {
      const stream = terminal[name];
      if (!stream.isTTY || (surroundings.term ?? 'dumb') === 'dumb' || globals.quiet || globals.json) return null;
      const { openRegion } = await import('./show/live/region.ts'); // loaded late: few commands have one
      region = openRegion(stream, redraw, () => (region = null));
      return region;
    },
    async confirm(question) {
      if (globals.yes) return true;
      if (noInput) return false;
      region?.clear();
      return /^(y|yes|j|ja)$/i.test(await typed(terminal, `${question} [y/N] `));
    },
    async ask(question) {
      if (noInput) return null;
      region?.clear();
      const answer = await typed(terminal, `${question} `);
      return answer === '' ? null : answer;
    },
    onInterrupt(gentle, now, left = () => undefined) {
      let times = 0;
      const onInt = (): void => ((times += 1) === 1 ? gentle() : now('SIGINT'));
      const onTerm = (): void => now('SIGTERM');
      terminal.on('SIGINT', onInt);
      terminal.on('SIGTERM', onTerm);
      const stay = onReaderLeft(terminal, left);
      return () => {
        stay();
        terminal.off('SIGINT', onInt);
        terminal.off('SIGTERM', onTerm);
      };
    },
  };
  return caller;
}

/** Reads one line; the end of input, or Ctrl-C, counts as an empty one. */
async function typed(terminal: Terminal, question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises'); // loaded late: most commands ask nothing
  const prompt = createInterface({ input: terminal.stdin, output: terminal.stderr });
  const gone = new Promise<string>((resolve) => void prompt.once('close', () => resolve('')));
  const onLost = (): void => prompt.close(); // the terminal was closed
  terminal.stdin.on('error', onLost);
  const answer = await Promise.race([prompt.question(question).catch(() => ''), gone]);
  prompt.close();
  terminal.stdin.off('error', onLost);
  return answer.trim();
}
