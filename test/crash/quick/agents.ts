// Agents of the quick grid, in this very process: a turn is data, carried out over the real work tree, its outcome kept in the
// same durable file as the wrapper's. Who dies in the middle of a turn leaves what was written and no outcome.
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { MessageQueue } from '../../../src/engine/message-queue.ts';
import type { HostedSession } from '../../../src/agents/host/client.ts';
import { writeTurn } from '../../../src/agents/host/turn-results.ts';
import { readContext } from '../../../src/agents/scripted/match.ts';
import type { RunContext } from '../../../src/loop/run-context.ts';
import type { LiveSessions } from '../../../src/loop/sessions.ts';
import type { TurnEnd, TurnOutcome, WrapUp } from '../../../src/model/action.ts';
import { failure, type Params } from '../../../src/model/failure.ts';
import type { Reason } from '../../../src/model/reasons.ts';
import { NO_USAGE } from '../../../src/model/usage.ts';
import { flipPasses } from '../../../src/playbooks/features/change.ts';
import { quickIo } from '../../support/quick-io.ts';
import type { FixtureProject } from '../fixture-project.ts';

export type Turn = {
  readonly append?: { readonly [path: string]: string };
  readonly write?: { readonly [path: string]: string };
  readonly claim?: readonly string[];
  /** What it says first, each as an event of its own; steps of its progress are waited for until they are kept. */
  readonly says?: readonly string[];
  /** Its last word; left out: some. */
  readonly said?: string;
  /** It commits what is there, itself: with these words, or some. */
  readonly commits?: true | string;
  /** A person pauses the run in the middle of it. */
  readonly pauses?: true;
  /** The run is stopped in the middle of it. */
  readonly stops?: true;
  readonly end?: TurnEnd;
  readonly wrapUp?: WrapUp;
  readonly fail?: readonly [Reason, Params?];
  readonly usd?: number;
};
/**
 * What an agent may go by: `workdir`: the folder that it works in. `item`: of its session. `role`, `output`: as its prompt has them. `played`: turns
 * that began before this one, in all runs.
 */
export type About = {
  readonly shop: FixtureProject;
  readonly workdir: string;
  readonly item: string;
  readonly role: string;
  readonly output: string;
  readonly session: number;
  readonly turn: number;
  readonly played: number;
};
/** By session and turn, both from 1; beyond the last of either, the last is played again. Or by the current state. */
export type Script = readonly (readonly Turn[])[] | ((about: About) => Turn);

const turnIn = (script: Script, about: About): Turn => {
  if (typeof script === 'function') return script(about);
  const turns = script[Math.min(about.session, script.length) - 1] ?? [];
  return turns[Math.min(about.turn, turns.length) - 1] ?? {};
};

type Around = {
  /** Called when the turn has written everything and the harness does not know of it yet. */
  readonly midway: () => void;
  readonly hear: RunContext['notifyAgentEvent'];
  readonly messages: MessageQueue;
  readonly stop: AbortController;
};

export function playing(
  real: LiveSessions,
  shop: FixtureProject,
  script: Script,
  { midway, hear, messages, stop }: Around,
): LiveSessions {
  const session = (number: number): HostedSession => ({
    pid: null,
    provider: 'scripted',
    turn: async (n, prompt) => {
      const { ROLE: role = '', OUTPUT: output = '', ITEM = '', WORKDIR: workdir = shop.root } = readContext(prompt);
      const played = shop.turnsPlayed();
      // The loop knows the sessions that it began; those of other roles name their item.
      const item = itemOf(shop, number) || ITEM;
      const about = { shop, workdir, item, role, output, session: number, turn: n, played };
      const turn = turnIn(script, about);
      appendFileSync(join(shop.top, 'played.txt'), '.');
      const says = turn.says ?? [];
      const notes = notesOf(shop, number) + (says.join('').match(/CHECKPOINT /g)?.length ?? 0);
      for (const text of says) hear(number, { t: 'text', text });
      while (notesOf(shop, number) < notes) await pause(2);
      play(shop, workdir, turn);
      midway();
      if (turn.pauses) messages.post({ type: 'pause' });
      if (turn.stops) stop.abort();
      const outcome = outcomeOf(turn, number);
      writeTurn(quickIo(), real.pointer(number)?.folder ?? '', n, outcome);
      return outcome;
    },
    inject: async () => 'unsupported',
    abort: async () => undefined,
    close: async () => NO_USAGE,
    hasEndedAll: () => false,
  });
  return { ...real, live: session, drop: () => null, closeAll: async () => undefined };
}

function itemOf({ privateDir }: FixtureProject, session: number): string {
  const file = join(privateDir, 'loop.json');
  // The plan comes before the loop.
  const { running = [] } = JSON.parse(existsSync(file) ? readFileSync(file, 'utf8') : '{}') as {
    running?: readonly { readonly item: string; readonly session: number }[];
  };
  return running.find((one) => one.session === session)?.item ?? '';
}

/** Steps of its progress that are kept with what the tree was. */
function notesOf(shop: FixtureProject, session: number): number {
  const file = join(shop.stateDir, 'sessions', String(session), 'notes.jsonl');
  return existsSync(file) ? (readFileSync(file, 'utf8').match(/"tree":"/g)?.length ?? 0) : 0;
}

/** `workdir`: where the agent works. */
function play(shop: FixtureProject, workdir: string, { append = {}, write = {}, claim = [], commits }: Turn): void {
  const at = (path: string): string => {
    const file = join(workdir, path);
    mkdirSync(dirname(file), { recursive: true });
    return file;
  };
  const paths = Object.keys({ ...append, ...write });
  tell(shop, workdir, '-', paths);
  for (const [path, text] of Object.entries(append)) appendFileSync(at(path), text);
  for (const [path, text] of Object.entries(write)) writeFileSync(at(path), text);
  tell(shop, workdir, '+', paths);
  const features = at('features.json');
  for (const item of claim) writeFileSync(features, flipPasses(readFileSync(features, 'utf8'), item));
  if (commits) {
    shop.git('add', '-A');
    shop.git('commit', '-qm', commits === true ? 'my own work' : commits);
  }
}

/** Where no checkpoint can undo it: what was written, by the id that git gives it; and what it took the place of. */
function tell(shop: FixtureProject, workdir: string, sign: '+' | '-', paths: readonly string[]): void {
  for (const path of paths) {
    const file = join(workdir, path);
    if (!existsSync(file)) continue;
    const text = readFileSync(file, 'utf8');
    const id = createHash('sha1')
      .update(`blob ${Buffer.byteLength(text)}\0${text}`)
      .digest('hex');
    appendFileSync(join(shop.top, 'written.txt'), `${sign} ${id} ${path}\n`);
  }
}

const outcomeOf = ({ end, wrapUp, fail, said = 'Said and done.', usd = 0.01 }: Turn, session: number): TurnOutcome => ({
  end: fail ? 'agent-failed' : (end ?? 'end-turn'),
  failure: fail ? failure(fail[0], fail[1]) : null,
  text: said,
  resume: `provider-${session}`,
  usage: { inputTokens: 1_000, outputTokens: 100, cachedTokens: 10, costUsd: usd, source: 'reported' },
  toolCalls: 1,
  ms: 1_000,
  wrapUp: wrapUp ?? null,
});
