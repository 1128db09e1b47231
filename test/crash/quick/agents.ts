// Agents of the quick grid, in this very process: a turn is data, carried out over the real work tree, its outcome kept in the
// same durable file as the wrapper's. Who dies in the middle of a turn leaves what was written and no outcome.
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { HostedSession } from '../../../src/agents/host/client.ts';
import { writeTurn } from '../../../src/agents/host/results.ts';
import type { LiveSessions } from '../../../src/loop/sessions.ts';
import type { TurnEnd, TurnOutcome, WrapUp } from '../../../src/model/action.ts';
import { failure, type Params } from '../../../src/model/failure.ts';
import type { Reason } from '../../../src/model/reasons.ts';
import { NO_USAGE } from '../../../src/model/usage.ts';
import { flipPasses } from '../../../src/playbooks/features/change.ts';
import { quickIo } from '../../support/quick-io.ts';
import type { Shop } from '../shop.ts';

export type Turn = {
  readonly append?: { readonly [path: string]: string };
  readonly write?: { readonly [path: string]: string };
  readonly claim?: readonly string[];
  /** It commits what is there, itself. */
  readonly commits?: true;
  readonly end?: TurnEnd;
  readonly wrapUp?: WrapUp;
  readonly fail?: readonly [Reason, Params?];
  readonly usd?: number;
};
/** By session and turn, both from 1; beyond the last of either, the last goes on. */
export type Script = readonly (readonly Turn[])[];

/** `midway`: called when the turn has written everything and nobody knows of it yet. */
export function playing(real: LiveSessions, shop: Shop, script: Script, midway: () => void): LiveSessions {
  const session = (number: number): HostedSession => ({
    pid: null,
    turn: async (n) => {
      const turns = script[Math.min(number, script.length) - 1] ?? [];
      const turn = turns[Math.min(n, turns.length) - 1] ?? {};
      play(shop, turn);
      midway();
      const outcome = outcomeOf(turn, number);
      writeTurn(quickIo(), real.pointer(number)?.folder ?? '', n, outcome);
      return outcome;
    },
    inject: async () => 'unsupported',
    abort: async () => undefined,
    close: async () => NO_USAGE,
  });
  return { ...real, live: session, drop: () => null, closeAll: async () => undefined };
}

function play(shop: Shop, { append = {}, write = {}, claim = [], commits }: Turn): void {
  appendFileSync(join(shop.top, 'played.txt'), '.');
  const at = (path: string): string => {
    const file = join(shop.root, path);
    mkdirSync(dirname(file), { recursive: true });
    return file;
  };
  for (const [path, text] of Object.entries(append)) appendFileSync(at(path), text);
  for (const [path, text] of Object.entries(write)) writeFileSync(at(path), text);
  const features = at('features.json');
  for (const item of claim) writeFileSync(features, flipPasses(readFileSync(features, 'utf8'), item));
  if (commits) {
    shop.git('add', '-A');
    shop.git('commit', '-qm', 'my own work');
  }
}

const outcomeOf = ({ end, wrapUp, fail, usd = 0.01 }: Turn, session: number): TurnOutcome => ({
  end: fail ? 'agent-failed' : (end ?? 'end-turn'),
  failure: fail ? failure(fail[0], fail[1]) : null,
  text: 'Said and done.',
  resume: `provider-${session}`,
  usage: { inputTokens: 1_000, outputTokens: 100, cachedTokens: 10, costUsd: usd, source: 'reported' },
  toolCalls: 1,
  ms: 1_000,
  wrapUp: wrapUp ?? null,
});
