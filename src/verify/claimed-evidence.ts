// Compares what an agent showed with what was observed. Pure. It never decides, because the harness verifies the work itself;
// differences are recorded with the evidence.
import type { AgentEvent } from '../model/event.ts';
import type { TestCounts } from '../model/report.ts';
import { commandIn, isEditing, pathsIn, runsTests } from '../model/tool-call.ts';
import type { Problem } from '../model/verdict.ts';

/** A command of an agent's tool call. */
export type SeenCommand = {
  readonly command: string;
  /** null: no end was reported. */
  readonly ok: boolean | null;
  readonly isTest: boolean;
  /** No change was observed afterwards. */
  readonly afterLastEdit: boolean;
};

/** Commands in order. `known`: the commands that prove the item. `claims`: files that are edited to claim it, after the tests. */
export function seenCommands(
  events: readonly AgentEvent[],
  known: readonly string[],
  claims: readonly string[],
): readonly SeenCommand[] {
  const ends = new Map(events.flatMap((e) => (e.t === 'tool-end' ? [[e.id, e.ok] as const] : [])));
  const lastEdit = events.findLastIndex((event) => isEdit(event, claims));
  return events.flatMap((event, at) => {
    const command = event.t === 'tool-start' ? commandIn(event) : null;
    if (event.t !== 'tool-start' || command === null) return [];
    const isTest = runsTests(command, known);
    return [{ command, ok: ends.get(event.id) ?? null, isTest, afterLastEdit: at > lastEdit }];
  });
}

function isEdit(event: AgentEvent, claims: readonly string[]): boolean {
  const isClaim = (paths: readonly string[]): boolean =>
    paths.length > 0 && paths.every((path) => claims.some((one) => path === one || path.endsWith(`/${one}`)));
  if (event.t === 'file-change') return !isClaim([event.path]);
  if (event.t !== 'tool-start' || commandIn(event) !== null || !isEditing(event.name)) return false;
  return !isClaim(pathsIn(event.input));
}

/** The agent reports its tool calls, and none of them ran tests. `known`: the project's own test commands. */
export function lacksTests(events: readonly AgentEvent[], known: readonly string[]): boolean {
  const isReporting = events.some(({ t }) => t === 'tool-start');
  return isReporting && !seenCommands(events, known, []).some(({ isTest }) => isTest);
}

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** `said`: what the agent wrote. `tests`: what the harness counted in its own widest run; null: it could not count. */
export function mismatches(about: {
  readonly item: string;
  readonly said: string;
  readonly seen: readonly SeenCommand[];
  readonly tests: TestCounts | null;
}): readonly Problem[] {
  const { item, said, seen, tests } = about;
  const found: Problem[] = [];
  const runs = seen.filter(({ isTest }) => isTest);
  const fresh = runs.filter(({ afterLastEdit }) => afterLastEdit);
  const last = fresh.at(-1);
  if (runs.length === 0) found.push({ code: 'tests-not-shown', params: { item, commands: seen.length } });
  else if (last === undefined) found.push({ code: 'tests-shown-too-early', params: { item, runs: runs.length } });
  else if (last.ok === false)
    found.push({ code: 'shown-tests-failed', params: { item, command: short(last.command) } });
  const unseen = shownCommands(said).filter((one) => !seen.some(({ command }) => plain(command).includes(plain(one))));
  if (unseen[0] !== undefined)
    found.push({ code: 'shown-command-not-seen', params: { item, command: short(unseen[0]) } });
  const most = Math.max(0, ...shownPasses(said));
  if (tests !== null && most > tests.total)
    found.push({ code: 'shown-output-differs', params: { item, shown: most, total: tests.total } });
  return found;
}

const short = (text: string): string => plain(text).slice(0, 200);

/** Longer lines show no command. Characters. */
const LONGEST_LINE = 2_000;

/** Commands shown with a prompt: `$ npm test`, also inside a drawn box. */
const shownCommands = (said: string): readonly string[] =>
  said.split('\n').flatMap((line) => {
    if (line.length > LONGEST_LINE) return [];
    const bare = line
      .replaceAll('│', ' ')
      .trim()
      .replace(/^>+\s*/, '');
    return bare.startsWith('$ ') ? [bare.slice(2).trim()] : [];
  });

/** The numbers of passed tests in the text, in the formats of common runners. */
const shownPasses = (said: string): readonly number[] =>
  said.split('\n').flatMap((line) => {
    if (line.length > LONGEST_LINE) return [];
    const found =
      /\b(\d{1,7}) +(?:tests? +)?pass(?:ed|ing)?\b/i.exec(line) ?? /^[#ℹ \t]*pass +(\d{1,7})\s*$/.exec(line);
    return found === null ? [] : [Number(found[1])];
  });
