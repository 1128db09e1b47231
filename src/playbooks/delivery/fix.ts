// A fix between two reviews: only what blocks is in its prompt, and what it adds beyond that is taken back. The harness proves the whole again.
import { changedSince } from '../session/strays.ts';
import { openingSay, readFacts } from '../../engine/definitions.ts';
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { Checkpoint } from '../../model/checkpoint.ts';
import type { Config } from '../../model/config.ts';
import type { Failure } from '../../model/failure.ts';
import type { Problem } from '../../model/verdict.ts';
import type { ClosingSession } from '../session/ending-hooks.ts';
import type { HeldWork, Reproved } from '../session/item/kind.ts';
import { judge, type Judgement } from '../session/verdicts.ts';
import { fixer } from './briefs.ts';
import { addedScope, type JudgedFinding } from './convergence.ts';
import { askRole } from './role-session.ts';
import { editedPlans } from './surveys.ts';

type R = Run<Actions>;
type Scope = {
  readonly before: Checkpoint;
  readonly changed: readonly string[];
  readonly findings: Parameters<typeof addedScope>[1]['findings'];
  /** No finding says where the cause is. */
  readonly isSymptom: boolean;
};

/** What no finding asked for is as it was before, and so are plan files, which belong to people. What was there is kept as a checkpoint. */
async function backInScope(
  step: R,
  { before, changed, findings, isSymptom }: Scope,
  about: { readonly session: number; readonly item: string },
): Promise<void> {
  const since = { since: before.commit };
  const { paths: plans } = await readFacts(step.scope('scope'), editedPlans, since);
  const { paths } = await readFacts(step.scope('scope'), changedSince, since);
  const added = [...new Set([...plans, ...(isSymptom ? [] : addedScope(paths, { changed, findings }))])];
  if (added.length === 0) return;
  await step.do('scope-strays', { kind: 'checkpoint', ...about, why: 'strayed' });
  await step.do('scope-restore', { kind: 'restore', checkpoint: before, paths: added });
}

export type Fixing = {
  readonly closing: ClosingSession;
  readonly held: HeldWork;
  readonly findings: readonly JudgedFinding[];
  readonly pass: number;
  /** The end of what the end-to-end tests printed; '': they found nothing, or it is not known any more. */
  readonly output: string;
};
/** `before`: the work as it was reviewed. */
export type Fixed =
  | ({ readonly is: 'fixed'; readonly before: Checkpoint } & Reproved)
  | { readonly is: 'failed'; readonly failure: Failure | null; readonly problems: readonly Problem[] };

export async function fixed(run: R, { closing, held, findings, pass, output }: Fixing, config: Config): Promise<Fixed> {
  const { facts, checkpoint, session } = closing;
  const since = facts.partial?.base ?? checkpoint.commit;
  const before = await run.do('before', { kind: 'checkpoint', session, item: facts.id, why: 'pre_fix' });
  const { paths: changed } = await readFacts(run, changedSince, { since });
  const asked = findings.map(({ severity, title, path, quote, why }) => ({ severity, title, path, quote, why }));
  const known = new Set(held.strength?.doubts.map(({ code }) => code));
  const answer = await askRole<Judgement>(
    run,
    facts,
    {
      role: 'fixer',
      isAnswer: () => false,
      attempt: pass,
      opening: openingSay(fixer, { item: facts.id, since, findings: asked, output }),
      async read(_text, step) {
        // A failing end-to-end test or a page shows a symptom: its cause may be in any file, and the next review sees the change.
        const isSymptom = findings.some(({ by }) => by !== undefined);
        const asks = { before, changed, findings: asked, isSymptom };
        await backInScope(step, asks, { session, item: facts.id });
        const judged = await judge(step, { facts, checkpoint, session }, config);
        // A fix must not weaken the proof: a doubt that the work before it did not raise is a problem.
        const doubts = judged.strength?.doubts.filter(({ code }) => !known.has(code)) ?? [];
        const problems = [...judged.problems, ...doubts];
        return problems.length > 0 ? { problems } : { answer: judged };
      },
    },
    config,
  );
  if (answer.is === 'unavailable') return { is: 'failed', failure: answer.failure, problems: [] };
  if (answer.is === 'unanswered') return { is: 'failed', failure: null, problems: answer.problems };
  const { verdict, strength } = answer.answer;
  return { is: 'fixed', before, verdict, strength };
}
