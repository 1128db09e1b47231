// Ends sessions that were cut, by a pause, a death or a stop.
import type { Run } from '../../../engine/types.ts';
import type { Actions } from '../../../model/action.ts';
import { addUsage, NO_USAGE, type Usage } from '../../../model/usage.ts';
import { nameOf, type Dispatch } from './one-session.ts';

/** Ends sessions that were cut: what they cost is written down, and a file that one had not finished is nobody's work. */
export async function putAway(
  run: Run<Actions>,
  {
    item,
    session,
    specs,
    stage,
    reason,
  }: Pick<Dispatch, 'item' | 'session' | 'specs' | 'stage'> & { readonly reason: string },
): Promise<{ readonly usage: Usage }> {
  const all = specs.map((spec, n) => ({ step: run.scope(nameOf(spec)), number: session + n }));
  const ended = await run.all(
    all.map(
      ({ step, number }) =>
        () =>
          step.do('close', { kind: 'close', session: number }),
    ),
  );
  // Not before all have ended: see `send`.
  for (const [n, { step, number }] of all.entries()) {
    const spent = ended[n]?.usage ?? NO_USAGE;
    if (spent.inputTokens + spent.outputTokens > 0)
      await step.do('costs', { kind: 'remember', what: 'costs', session: number, input: { item } });
    const about = {
      item,
      termination: 'user_pause',
      completed: false,
      result: 'paused',
      reason,
    };
    await step.do('record', { kind: 'remember', what: 'session', session: number, input: about });
  }
  // The code of a generator stays: the next session verifies it. A document that was cut in two says what nobody meant.
  const halves = specs.filter(({ role }) => role !== 'generator').map(({ output }) => output);
  const paths = stage === 'revise-spec' ? [] : halves.filter((path) => path !== '');
  if (paths.length > 0) await run.do('clear', { kind: 'tidy', paths, keep: [] });
  return { usage: ended.map(({ usage }) => usage).reduce(addUsage, NO_USAGE) };
}
