// The people of a mission: they answer after minutes, hours or never; they pause, stop, change their minds, and call the
// harness again when it has ended. Their messages wait in an inbox until the loop has written them down.
import { openGates } from '../../src/gates/store.ts';
import type { MessageQueue } from '../../src/engine/message-queue.ts';
import { STOP_AFTER_SESSION } from '../../src/loop/machine.ts';
import type { Json } from '../../src/model/json.ts';
import { join } from 'node:path';
import { quickIo } from '../support/quick-io.ts';
import { InvariantViolation } from './invariant-violation.ts';
import type { Dice } from './chance.ts';
import { count } from './ledger.ts';
import type { Ended } from './process-run.ts';
import type { Mission } from './mission.ts';
import type { Own } from './time.ts';

const MINUTE = 60_000;
export const PERSON = 'Ada';
type Letter = { readonly id: string; readonly body: Json; readonly skipped: string | null };

export type People = {
  /** What they do while this run lasts. */
  attend(mission: Mission, own: Own, to: { readonly messages: MessageQueue; readonly stop: () => void }): void;
  /** A question was asked: a person may answer it. */
  asked(mission: Mission): void;
  /** How long after this end they call the harness again, milliseconds; null: never. */
  after(mission: Mission, ended: Ended): number | null;
};

export function peopleOf(dice: Dice): People {
  const manner = dice.weighed({ prompt: 5, late: 4, never: 1 });
  const inbox: Letter[] = [];
  const known = new Set<string>();
  const answers: { readonly at: number; readonly gate: string }[] = [];
  let letters = 0;
  let blocked = 0;

  const gatesOf = ({ privateDir, time }: Mission) =>
    openGates({ dir: join(privateDir, 'gates'), io: quickIo(), clock: time.clock });
  const openIn = (mission: Mission) => {
    const open = gatesOf(mission).list({ open: true });
    if (!open.ok) throw new InvariantViolation('state is legible', JSON.stringify(open.failure));
    return open.value.map(({ gate }) => gate);
  };

  async function answer(mission: Mission, id: string): Promise<void> {
    const gate = openIn(mission).find((one) => one.id === id);
    if (!gate) return;
    const options = gate.options.map((one) => one.id).filter((one) => one !== 'abort' || dice.happens(0.1));
    const option = dice.happens(0.5) ? gate.recommended : dice.oneOf(options);
    const note = dice.happens(option === 'modify' ? 0.8 : 0.3) ? 'as I said' : '';
    for (const what of [gate.subject, `${gate.subject}: ${option}`]) count(mission.ledger.acts, what);
    mission.told.push(`${mission.time.clock.iso().slice(11, 19)} a person says ${option} to ${id} ${gate.subject}`);
    await gatesOf(mission).answer(id, { option, note, by: PERSON });
  }

  function letter(mission: Mission): void {
    const body = mission.kind.letter?.(mission, dice) ?? null;
    const isSkip = body?.edit.name === 'flag' && body.edit.input.change.type === 'skipped';
    if (body !== null) inbox.push({ id: `m-${(letters += 1)}`, body, skipped: isSkip ? body.item : null });
  }

  return {
    attend(mission, own, { messages, stop }) {
      const posted = new Set<string>();
      const deliver = (): void => {
        for (const { id, body, skipped } of inbox) {
          if (posted.has(id)) continue;
          posted.add(id);
          // As in the inbox: a skipped item at work ends its session.
          if (mission.areLanes && skipped !== null) messages.postTo(skipped, { type: 'pause' });
          messages.post({ type: 'message', id, body }, () =>
            inbox.splice(
              inbox.findIndex((one) => one.id === id),
              1,
            ),
          );
        }
      };
      deliver();
      const sometimes = (share: number, act: () => void): void => {
        if (dice.happens(share)) own.alarm(dice.between(1, 300) * MINUTE, act);
      };
      sometimes(0.12, () => messages.post({ type: 'pause' }));
      sometimes(0.06, () => messages.post({ type: 'message', id: `stop-${(letters += 1)}`, body: STOP_AFTER_SESSION }));
      sometimes(0.1, stop);
      sometimes(0.15, () => {
        letter(mission);
        deliver();
      });
      if (mission.kind.beside !== undefined)
        for (let times = 0; times < 3; times += 1) sometimes(0.5, () => mission.kind.beside?.(mission, dice));
    },

    asked(mission) {
      for (const { id } of openIn(mission)) {
        if (known.has(id)) continue;
        known.add(id);
        mission.ledger.questions += 1;
        mission.kind.meddle?.(mission, dice);
        if (manner === 'never' || dice.happens(0.05)) continue;
        const delay = manner === 'prompt' ? dice.between(1, 20) * MINUTE : dice.between(30, 400) * MINUTE;
        answers.push({ at: mission.time.clock.now() + delay, gate: id });
        // People survive every crash.
        mission.time
          .own()
          .alarm(
            delay,
            () => void answer(mission, id).catch((error: unknown) => (mission.violation ??= asViolation(error))),
          );
      }
    },

    after(mission, ended) {
      const now = mission.time.clock.now();
      if (ended.end === 'died') return dice.happens(0.7) ? dice.between(1, 90) * 1_000 : dice.between(1, 90) * MINUTE;
      if (ended.end === 'stopped') return dice.between(1, 60) * MINUTE;
      if (ended.end === 'waiting') {
        const due = answers.filter(({ gate }) => ended.on.includes(gate)).map(({ at }) => at);
        return due.length === 0 ? null : Math.max(0, Math.min(...due) - now) + dice.between(1, 10) * MINUTE;
      }
      if (ended.verdict === 'done') return null;
      if ((blocked += 1) > 12) return null;
      return dice.between(5, 90) * MINUTE;
    },
  };
}

const asViolation = (error: unknown): InvariantViolation =>
  error instanceof InvariantViolation ? error : new InvariantViolation('nothing throws', String(error));
