// Sessions side by side, and what comes of them together. What a session changed beyond what it was sent for is taken back, or handed
// back to it.
import type { Run } from '../../../engine/types.ts';
import type { Actions, Checkpoint } from '../../../model/action.ts';
import type { Config } from '../../../model/config.ts';
import type { Failure } from '../../../model/failure.ts';
import { addUsage, NO_USAGE, type Usage } from '../../../model/usage.ts';
import type { Problem } from '../../../model/verdict.ts';
import { ask, budgetInput, type BudgetFacts } from '../../session/asks.ts';
import type { Came } from '../table/came.ts';
import { hear, judged, nameOf, record, type Dispatch, type Judged } from './one-session.ts';
import type { Returned } from './returns.ts';

type R = Run<Actions>;
export type Sent = {
  readonly returned: readonly Returned[];
  readonly problems: readonly Problem[];
  readonly outage: Failure | null;
  readonly usage: Usage;
};

/** The event that comes of a group of sessions. */
export const dispatch = (run: R, input: Dispatch, config: Config): Promise<Came> =>
  cameOf(run, input, config, ({ returned, problems }) => {
    const line = returned.map((one) => one.line).find((one) => one !== '') ?? '';
    return { on: problems.length === 0 ? 'written' : 'failed', line, problems };
  });

type Event = Omit<Extract<Came, { readonly on: unknown }>, 'sessions' | 'usage'>;
/** What `event` makes of a group that was sent; or that its agents could not be had, or that there is no money for it. */
export async function cameOf(
  run: R,
  input: Dispatch,
  config: Config,
  event: (sent: Sent) => Event | Promise<Event>,
): Promise<Came> {
  const sent = await send(run, input, config);
  if ('over' in sent) return sent;
  const { outage, usage } = sent;
  const sessions = input.specs.length;
  return outage === null ? { ...(await event(sent)), sessions, usage } : { outage, sessions, usage };
}

/** `problems` empty: each left its file, and nothing that it was not sent for. */
export async function send(
  run: R,
  input: Dispatch,
  config: Config,
): Promise<Sent | Extract<Came, { readonly over: unknown }>> {
  const { item, session, stage, specs } = input;
  // One phase sends several groups, and some again: whoever came before may have used up what there was.
  const { over } = await ask<BudgetFacts>(run, 'budget', budgetInput(item, config, 0));
  if (over !== null) return { over };
  const why = `pre_${stage.replaceAll('-', '_')}`;
  const checkpoint = await run.do('checkpoint', { kind: 'checkpoint', session, item, why });
  // What an earlier session left would pass for the work of this one. A spec that is revised stays.
  const paths = stage === 'revise-spec' ? [] : specs.map(({ output }) => output).filter((path) => path !== '');
  if (paths.length > 0) await run.do('clear', { kind: 'tidy', paths, keep: [] });
  const group = specs.map((_, n) => session + n);
  const said = await run.all(
    specs.map(
      (spec, n) => () =>
        hear(run.scope(nameOf(spec)), { ...input, spec, session: session + n, group, checkpoint }, config),
    ),
  );
  // All of them end before anything is written down: while one is at work, what the harness writes would look like the agent's.
  const ended = await run.all(
    specs.map((spec, n) => () => run.scope(nameOf(spec)).do('close', { kind: 'close', session: session + n })),
  );
  const strayed = await strays(run, { ...input, checkpoint });
  const back: Judged[] = [];
  for (const [n, spec] of specs.entries()) {
    const [heard, closed] = [said[n], ended[n]];
    if (heard === undefined || closed === undefined) continue;
    const about = { item, session: session + n, role: nameOf(spec), attempt: strayed.attempt };
    back.push(await record(run.scope(nameOf(spec)), judged(spec, heard, closed.tampering), about));
  }
  return {
    returned: back.map(({ returned }) => returned),
    problems: [...back.flatMap(({ problems }) => problems), ...strayed.problems],
    outage: back.map(({ outage }) => outage).find((one) => one !== null) ?? null,
    usage: ended.map(({ usage }) => usage).reduce(addUsage, NO_USAGE),
  };
}

/** `attempt`: where it was put that was undone; null: nothing was. */
type Strayed = { readonly problems: readonly Problem[]; readonly attempt: string | null };

/** Where HEAD was moved, or a session that writes one file changed others: that is undone, and kept as an attempt. */
async function strays(run: R, input: Dispatch & { readonly checkpoint: Checkpoint }): Promise<Strayed> {
  const { specs, checkpoint, item, session, state } = input;
  const found = await ask<{ readonly paths: readonly string[]; readonly isMoved: boolean }>(run, 'strayed', {
    roles: specs.map(({ role }) => role),
    outputs: specs.map(({ output }) => output),
    since: checkpoint.ref,
    head: checkpoint.head,
    branch: checkpoint.branch,
    docs: state.docs_path,
  });
  if (found.isMoved) {
    const { attempt } = await run.do('rollback', {
      kind: 'rollback',
      checkpoint,
      item,
      session,
      why: 'history-rewritten',
    });
    return { problems: [{ code: 'history-rewritten', params: { path: '' } }], attempt };
  }
  if (found.paths.length > 0) {
    const { ref } = await run.do('keep', { kind: 'checkpoint', session, item, why: 'strayed' });
    await run.do('restore', { kind: 'restore', checkpoint, paths: found.paths });
    return { problems: [], attempt: ref };
  }
  return { problems: [], attempt: null };
}
