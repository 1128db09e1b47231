// What people and programs see of the daemon: `.harness/state.json`, and the tokens of each run. Written again with each change; nothing is decided by
// it.
import { join } from 'node:path';
import { textOrEmpty } from '../../host/files.ts';
import type { ItemId } from '../../model/item.ts';
import { toJson, type Json } from '../../model/json.ts';
import { readSpending, type Spending } from '../look/spending.ts';
import { isFrozen, isPaused } from '../open/run-blockers.ts';
import { waitingFor } from '../open/unfinished-sessions.ts';
import type { Target } from '../open/target.ts';
import type { WaitReason } from './decide.ts';
import { isReleaseReady } from './hooks.ts';
import { gatesOf } from './look.ts';
import { delayedNow, isoOf, type Child, type TickRecord } from './record.ts';
import { readSwitch } from './switch.ts';

export const STATE_FILE = 'state.json';
const SHOWN_HISTORY = 100;

export type ShownWait = { readonly why: WaitReason; readonly until: number | null; readonly reason: string | null };

export async function showState(target: Target, record: TickRecord, waiting: ShownWait | null): Promise<void> {
  const { stateDir, io, clock } = target;
  const power = readSwitch(target);
  const { active, history } = record;
  const state = {
    schema: 'harness.daemon/1',
    state: power?.is ?? 'off',
    paused: isPaused(target),
    frozen: isFrozen(target),
    active: active && { ...active },
    waiting:
      waiting === null
        ? null
        : { why: waiting.why, until: waiting.until === null ? null : isoOf(waiting.until), reason: waiting.reason },
    blocked: await blockedIn(target),
    delayed: delayedNow(record, clock.now(), 0).plans.map((plan) => ({ plan, ...record.delayed[plan] })),
    merged: record.merged ?? [],
    release_ready: isReleaseReady(target),
    history: history.slice(-SHOWN_HISTORY),
  };
  const text = `${JSON.stringify(toJson(state), null, 2)}\n`;
  const file = join(stateDir, STATE_FILE);
  if (textOrEmpty(file) !== text) io.replace(file, text);
}

/** Plans that wait for a user, with the question and why it is asked. */
async function blockedIn(target: Target): Promise<readonly { readonly [key: string]: Json }[]> {
  const gates = gatesOf(target);
  return waitingFor(target.workspaceDir).flatMap(({ item, gate: id }) => {
    const found = gates.find(id);
    if (!found.ok || found.value === null || found.value.closed !== null) return [];
    const { subject, since, params } = found.value.gate;
    return [{ plan: item, gate: id, subject, since, reason: String(params['reason'] ?? subject) }];
  });
}

type Tokens = Spending['tokens'];
export const tokensNow = async (target: Target): Promise<Tokens> => (await readSpending(target)).tokens;

/** `task-runs/<plan>/<run>/tokens-used.json`. `before`: all that had been used when it was started. */
export async function showTokens(
  { stateDir, io, clock, ...rest }: Target,
  { plan, kind, run, since }: Child,
  before: Tokens,
): Promise<void> {
  const now = await readSpending({ stateDir, ...rest });
  const less = (name: keyof Tokens): number => Math.max(0, now.tokens[name] - before[name]);
  const used = { input: less('input'), output: less('output'), cached: less('cached') };
  const item: ItemId = plan ?? kind;
  const about = { schema: 1, plan: item, run, since, ended: clock.iso(), ...used, total: used.input + used.output };
  const folder = join(stateDir, 'task-runs', item, run ?? since.replace(/[^\dT]/g, ''));
  io.replace(join(folder, 'tokens-used.json'), `${JSON.stringify(about, null, 2)}\n`);
}
