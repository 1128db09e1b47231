// What is said of an item that a person holds, or gives back.
import { hold, type HoldWord } from '../../app/operations/hold.ts';
import { ok, type Result } from '../../model/result.ts';
import type { Answer, Caller } from '../command.ts';
import { workerWords } from './worker.ts';

export async function holdOne(caller: Caller, item: string, as: HoldWord): Promise<Result<Answer>> {
  const done = await hold.run(caller, { item, as });
  if (!done.ok) return done;
  const { answer, detail } = done.value;
  const { text } = caller.catalogue;
  const about = { item: answer.item, title: detail.subject.title };
  const { live, taken, ending } = answer;
  const how =
    live !== null && live.run !== null && !taken
      ? [text('steer.untaken', workerWords(live))]
      : ending
        ? [text(live === null ? 'hold.next-run' : 'hold.ending', about)]
        : [];
  const work = answer.work === null ? [] : [text('hold.work', { ref: answer.work })];
  const isVain = as === 'rollback' && !answer.had_work;
  const then = as === 'rollback' ? [] : [text('hold.resume', about)];
  return ok({
    exit: 0,
    json: answer,
    lines: [text(isVain ? 'hold.rollback-none' : `hold.${as}`, about), ...how, ...work, ...then],
  });
}
