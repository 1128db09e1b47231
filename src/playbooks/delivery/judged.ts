// One session of a role that judges: it sees the candidate and changes nothing. What it changed all the same is taken back, and its verdict is void.
import { readFacts } from '../../engine/definitions.ts';
import type { Run } from '../../engine/types.ts';
import type { Actions, Say } from '../../model/action.ts';
import type { Checkpoint } from '../../model/checkpoint.ts';
import type { Config } from '../../model/config.ts';
import type { Failure } from '../../model/failure.ts';
import type { Unseen } from '../../model/tools.ts';
import type { Problem } from '../../model/verdict.ts';
import type { ClosingSession } from '../session/ending-hooks.ts';
import { judgedUnchanged } from '../session/strays.ts';
import { judgeFinding, lineOccursIn, type JudgedFinding } from './convergence.ts';
import type { ReviewFinding, ReviewReading } from './review-answer.ts';
import { askRole } from './role-session.ts';
import { lookUp } from './surveys.ts';

type R = Run<Actions>;

/** The harness's own folder: reviews of before, and the transcripts of others. */
export const UNSEEN: Unseen = { folders: ['.harness'], but: [] };

export type Judging = {
  readonly closing: ClosingSession;
  readonly role: string;
  /** Which time it judges this work, from 1. */
  readonly pass: number;
  readonly opening: Say;
  readonly read: (text: string) => ReviewReading;
  /** The work before the last fix; null: there was none. */
  readonly before: Checkpoint | null;
  /** What a browser showed, which may be quoted as well; left out: only files are. */
  readonly shown?: string;
};
export type RoleVerdict =
  | { readonly is: 'judged'; readonly findings: readonly JudgedFinding[]; readonly isConverged: boolean }
  /** No verdict that counts: its agent is not available, or its answer cannot be read. */
  | { readonly is: 'none'; readonly failure: Failure | null; readonly problems: readonly Problem[] };

export async function judgedBy(run: R, judging: Judging, config: Config): Promise<RoleVerdict> {
  const { closing, role } = judging;
  const about = { session: closing.session, item: closing.facts.id };
  const candidate = await run.do('candidate', { kind: 'checkpoint', ...about, why: 'pre_review' });
  const { found, isVoid } = await judgedUnchanged(run, { role, before: candidate, ...about }, (step) =>
    judgedOnce(step, judging, config),
  );
  return isVoid === null ? found : { is: 'none', failure: null, problems: [isVoid] };
}

async function judgedOnce(run: R, judging: Judging, config: Config): Promise<RoleVerdict> {
  const { closing, role, pass, opening, read, before, shown } = judging;
  const { facts, checkpoint } = closing;
  const answer = await askRole<Exclude<ReviewReading, { is: 'unread' }>>(
    run,
    facts,
    {
      role,
      isAnswer: (text) => read(text).is !== 'unread',
      attempt: pass,
      unseen: UNSEEN,
      opening,
      async read(text) {
        const said = read(text);
        return said.is === 'unread'
          ? { problems: [{ code: 'review-unanswered', params: { role } }] }
          : { answer: said };
      },
    },
    config,
  );
  if (answer.is === 'unavailable') return { is: 'none', failure: answer.failure, problems: [] };
  if (answer.is === 'unanswered') return { is: 'none', failure: null, problems: answer.problems };
  const { findings, is } = answer.answer;
  const since = facts.partial?.base ?? checkpoint.commit;
  const asked = findings.map(({ severity, title, path, quote, why }): ReviewFinding => ({
    severity,
    title,
    path,
    quote,
    why,
  }));
  const { looked } = await readFacts(run, lookUp, { findings: asked, since, before: before?.commit ?? null });
  const judged = asked.flatMap((finding, n) => {
    const one = looked[n];
    if (one === undefined) return [];
    // The browser ran the work as it is now.
    if (shown !== undefined && lineOccursIn(shown, finding.quote))
      return [{ ...finding, proven: true, origin: 'change' as const, by: 'ui-reviewer' as const }];
    return [{ ...judgeFinding(finding, one), ...(shown === undefined ? {} : { by: 'ui-reviewer' as const }) }];
  });
  return { is: 'judged', findings: judged, isConverged: is === 'converged' };
}

export const asProblem = ({ severity, title, path, quote, why }: JudgedFinding): Problem => ({
  code: 'finding-open',
  params: { severity, title, path, quote, why },
});
