// Questions to people: a gate is opened once, and the action is parked until it is answered. An unattended run waits for a question
// that its policy answers after a time.
import type { ActionContext, ActionOf, Performer } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import { itemTitle, type Gate, type GateAnswer, type GateAsk } from '../../model/gate.ts';
import type { Result } from '../../model/result.ts';
import type { RunEvents, RunHost, RunRepository, RunSettings, RunStores } from '../run-context.ts';
import { repeatable } from './repeatable.ts';

/** How often a waiting run looks for an answer, in milliseconds. */
export const LOOK_MS = 2_000;
/** Recorded as the author of an answer that no person gave. */
const POLICY = 'gates.policies';
const NOBODY = '--no-input';

export const asks = (
  context: RunRepository & RunSettings & RunHost & RunStores & RunEvents,
): Performer<ActionOf<Actions, 'ask'>, GateAnswer> => ({
  async perform({ kind: _kind, key, ...ask }, { token, epoch, signal }) {
    // The question belongs to this run of the item's machine: an answer to a question of an earlier one does not count.
    const position = { key: `${key}@${token.slice(0, token.lastIndexOf('/'))}`, epoch };
    const session = context.sessions.last();
    const title = await titleOf(context, ask);
    const about = { ...position, session, ...(title === null ? {} : { title }) };
    const gate = await context.gates.ask(ask, about, context.config.gates.policies[ask.subject]);
    if (!gate.ok) return { blocked: gate.failure };
    const answer = await answerTo(context, { ...gate.value, isSoft: ask.isSoft }, position, signal);
    if (!answer.ok) return { blocked: answer.failure };
    if (answer.value) {
      const used = context.gates.use(gate.value.id);
      return used.ok ? answer.value : { blocked: used.failure };
    }
    if (!signal.aborted) notifyOpened(context, gate.value);
    return { parked: gate.value.id };
  },
  probe: repeatable,
});

/** null: the question is about no item of the list, or its list cannot be read. */
async function titleOf({ view, backlog, config }: RunRepository & RunSettings, ask: GateAsk): Promise<string | null> {
  const known = itemTitle(ask);
  if (known !== null || ask.item === null) return known;
  const file = config.paths.backlog;
  const list = backlog.read((await view.read(file)) ?? '', file, { allowCycles: true });
  return list.ok ? (list.value.subject(ask.item)?.title ?? null) : null;
}

const notifyOpened = (context: RunEvents, gate: Pick<Gate, 'id' | 'subject' | 'item' | 'policy'>): void =>
  context.notify({
    type: 'gate-opened',
    level: 'critical',
    ...(gate.item === null ? {} : { item: gate.item }),
    data: { gate: gate.id, subject: gate.subject, policy: gate.policy },
  });

/** null: there is no answer, and the policy gives none now. */
async function answerTo(
  context: RunSettings & RunHost & RunStores & RunEvents,
  gate: Omit<Gate, 'isSoft'> & { readonly isSoft: true | undefined },
  { key, epoch }: { readonly key: string; readonly epoch: number },
  signal: ActionContext['signal'],
): Promise<Result<GateAnswer | null>> {
  let isNotified = false;
  if (context.isAlone && gate.isSoft === true) {
    const known = context.gates.answerOf(key, epoch);
    if (!known.ok || known.value !== null) return known;
    return byPolicy(context, gate, gate.recommended, { key, epoch }, NOBODY);
  }
  for (;;) {
    const answer = context.gates.answerOf(key, epoch);
    if (!answer.ok || answer.value !== null || gate.policy === 'wait' || signal.aborted) return answer;
    const left = Date.parse(gate.policy.at) - context.clock.now();
    if (left <= 0) return byPolicy(context, gate, gate.policy.answer, { key, epoch });
    // An item does not keep the run waiting: the loop looks for its answer.
    if (!context.isUnattended || gate.item !== null) return answer;
    if (!isNotified) notifyOpened(context, gate);
    isNotified = true;
    await context.sleep(Math.min(left, LOOK_MS), signal);
  }
}

/** Answers by policy; an answer that came first counts. */
async function byPolicy(
  context: RunStores & RunEvents,
  gate: Pick<Gate, 'id' | 'subject' | 'item'>,
  option: string,
  { key, epoch }: { readonly key: string; readonly epoch: number },
  by = POLICY,
): Promise<Result<GateAnswer | null>> {
  const taken = await context.gates.answer(gate.id, { option, note: '', by });
  if (taken.ok) {
    const data = { gate: gate.id, subject: gate.subject, option };
    context.notify({
      type: 'gate-timed-out',
      level: 'critical',
      ...(gate.item === null ? {} : { item: gate.item }),
      data,
    });
    return taken;
  }
  return taken.failure.reason === 'gate-already-answered' ? context.gates.answerOf(key, epoch) : taken;
}
