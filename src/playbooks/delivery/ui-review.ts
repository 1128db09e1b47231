// The review of the user interface: a browser shows the pages of the work, and the role `ui-reviewer` judges them. Its quotes are looked for in what the
// browser showed, and in the files.
import { changedSince, takeBack } from '../session/strays.ts';
import { openingSay, readFacts } from '../../engine/definitions.ts';
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import { tidyPath } from '../../model/config/paths.ts';
import type { Problem } from '../../model/verdict.ts';
import type { ClosingSession } from '../session/ending-hooks.ts';
import { lookAtPages, readyForPages, type Served } from '../session/pages.ts';
import { uiReviewer } from './briefs.ts';
import type { JudgedFinding } from './convergence.ts';
import { judgedBy, type RoleVerdict } from './judged.ts';
import { readReview } from './review-answer.ts';

type R = Run<Actions>;

const servedBy = ({ devServer }: Pick<Config, 'devServer'>): Served | null => {
  if (devServer === null) return null;
  const { command: start, ...served } = devServer;
  return { start, ...served };
};

/** Whether a change is one of the user interface. `folders` empty: each is. */
export function isOfUi(paths: readonly string[], folders: readonly string[]): boolean {
  const tidy = folders.map(tidyPath);
  return tidy.length === 0 || paths.some((path) => tidy.some((one) => path === one || path.startsWith(`${one}/`)));
}

/** Before an agent is paid: a browser starts here and the port is free. If not, the run is blocked. */
export async function readyForUi(run: R, session: number, config: Config): Promise<void> {
  const served = servedBy(config);
  if (served !== null) await readyForPages(run, served, session);
}

/** null: the plan does not change the user interface, or no server is configured. */
export async function uiReview(
  run: R,
  closing: ClosingSession,
  { pass, most }: { readonly pass: number; readonly most: number },
  config: Config,
): Promise<RoleVerdict | null> {
  const served = servedBy(config);
  if (served === null) return null;
  const { facts, checkpoint, session } = closing;
  const since = facts.partial?.base ?? checkpoint.commit;
  const { paths } = await readFacts(run, changedSince, { since });
  if (!isOfUi(paths, config.appPaths)) return null;
  const about = { session, item: facts.id };
  const candidate = await run.do('before-pages', { kind: 'checkpoint', ...about, why: 'pre_review' });
  const { text, problems } = await lookAtPages(run, served, session);
  // A development server may write: what lands is what was proved.
  await takeBack(run.scope('pages'), candidate, about);
  if (problems.length > 0) return { is: 'judged', isConverged: false, findings: problems.map(ofServer) };
  const opening = openingSay(uiReviewer, { item: facts.id, since, pages: text, pass, most });
  const role = 'ui-reviewer';
  const judging = { closing, role, pass, opening, read: readReview, before: null, shown: text };
  return judgedBy(run.scope('judge'), judging, config);
}

/** The harness saw it itself. */
const ofServer = ({ code, params }: Problem): JudgedFinding => ({
  severity: 'critical',
  title:
    code === 'pages-server-ended' ? 'The development server ends by itself' : 'The development server does not answer',
  path: '',
  quote: '',
  why: Object.entries(params)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join('\n')
    .slice(0, 2_000)
    .toWellFormed(),
  proven: true,
  origin: 'change',
  by: 'ui-reviewer',
});
