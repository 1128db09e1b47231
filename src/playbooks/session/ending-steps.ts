// Steps that several ends of a session have: the record, the work that is kept, the entry of the log.
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { SessionSummary } from '../../model/remember.ts';
import type { Config } from '../../model/config.ts';
import type { ClosingSession, EndingHooks } from './ending-hooks.ts';
import type { CutReason } from './facts.ts';

type R = Run<Actions>;

/** Costs and the session's record: the last steps of every end. */
export async function record(
  run: R,
  closing: ClosingSession,
  hooks: EndingHooks,
  about: Omit<SessionSummary, 'item' | 'startedAt' | 'endedAt'> &
    Pick<SessionSummary, 'completed' | 'termination' | 'result'>,
): Promise<void> {
  const { facts, session, startedAt, endedAt } = closing;
  await run.do('costs', { kind: 'remember', what: 'costs', session, item: facts.id });
  const summary = { item: facts.id, startedAt, endedAt, ...about };
  await run.do('record', { kind: 'remember', what: 'session', session, summary });
  const lines = hooks.notes?.(closing, about.reason ?? about.result) ?? [];
  if (lines.length > 0)
    await run.do('notes', {
      kind: 'remember',
      what: 'memory',
      session,
      role: hooks.role(facts),
      item: facts.id,
      lines,
    });
}

/** What of a session is kept. */
export type KeptTree = {
  /** What was verified; left out: the work tree. */
  readonly tree?: string | undefined;
  /** What is in the work tree, where it was merged with newer commits; left out: it is `tree`. */
  readonly merged?: string | undefined;
};

export const keepWork = (
  run: R,
  { facts, session, checkpoint, tree, merged, reached }: ClosingSession & KeptTree & { readonly reached?: string },
  config: Config,
  why: CutReason,
) =>
  run.do('keep', {
    kind: 'keep-wip',
    item: facts.id,
    session,
    subject: `${WIP[why](config)}#${facts.id} ${facts.title}`,
    checkpoint,
    own: ownFiles(config),
    ...(tree === undefined ? {} : { tree }),
    ...(merged === undefined ? {} : { merged }),
    ...(reached === undefined ? {} : { reached }),
  });

const WIP: { readonly [W in CutReason]: (config: Config) => string } = {
  timeout: (config) => config.session.wipPrefix,
  context_limit: (config) => config.context.wipPrefix,
  stuck: () => 'WIP: Stuck - ',
  user_pause: () => 'WIP: Paused - ',
  budget: () => 'WIP: Budget - ',
  error: () => 'WIP: Error - ',
  incomplete: () => 'WIP: ',
  review: () => 'WIP: Review - ',
  overtaken: () => 'WIP: Overtaken - ',
  provider_limit: () => 'WIP: Provider limit - ',
  phase: () => 'WIP: Phase - ',
  answered: () => 'WIP: Answered - ',
  unclear: () => 'WIP: Unclear - ',
};

export const ownFiles = ({ paths }: Config): readonly string[] => [paths.backlog, paths.progress];

/** The log entry of a session without a landing: the next landing carries it. */
export async function logLater(
  run: R,
  input: ClosingSession & { readonly state: readonly string[] },
  config: Config,
  hooks: EndingHooks,
): Promise<void> {
  const { session, state } = input;
  const edit = hooks.logging(input, config, { verification: '', state });
  if (edit !== null) await run.do('log', { kind: 'remember', what: 'log', session, edit });
}
