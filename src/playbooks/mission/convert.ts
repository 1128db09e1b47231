// CONVERTED: issues that reviews found beside the assertions of a feature. What becomes of them is judgement: after the landing the orchestrator is
// asked, and what it names becomes features of their own.
import { z } from 'zod';
import { defineEdit, defineSurvey, editCall, openingSay, readFacts } from '../../engine/definitions.ts';
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import { ok } from '../../model/result.ts';
import type { ClosingSession } from '../session/ending-hooks.ts';
import { verdictLine } from './answers.ts';
import { orchestrator } from './briefs.ts';
import { convertIssues } from './edits.ts';
import { writeEscalation } from './escalation.ts';
import { CONTRACT, ISSUES, issuesFile } from './paths.ts';
import { issueSchema, type ReviewIssue } from './review-answer.ts';
import { askRole } from './role-session.ts';
import { withoutStrays } from '../session/strays.ts';

type R = Run<Actions>;

const issuesEdit = defineEdit({
  id: 'mission.keep-issues',
  input: z.object({ item: z.string(), issues: z.array(issueSchema).readonly() }),
  texts: (_context, { item, issues }) =>
    Promise.resolve(ok({ [issuesFile(item)]: `${JSON.stringify(issues, null, 2)}\n` })),
});

const keptIssues = defineSurvey({
  id: 'mission.issues',
  input: z.object({ item: z.string() }),
  facts: z.object({ issues: z.array(issueSchema).readonly() }),
  async read({ view }, { item }) {
    const read = z.array(issueSchema).safeParse(parsed(await view.read(issuesFile(item))));
    return { issues: read.success ? read.data : [] };
  },
});

/** Features that have landed, and whose issues wait: the orchestrator's agent was not available, or the run was killed. */
const undecidedIssues = defineSurvey({
  id: 'mission.issues-undecided',
  input: z.object({}),
  facts: z.object({ features: z.array(z.object({ id: z.string(), title: z.string() })).readonly() }),
  async read({ view, backlog, config }) {
    const kept = new Set((await view.names(ISSUES)).map((name) => `${ISSUES}/${name}`));
    const list =
      kept.size === 0 ? null : backlog.read((await view.read(config.paths.backlog)) ?? '', '', { allowCycles: true });
    const items = list?.ok === true ? list.value.items : [];
    const waiting = items.filter(({ id, status }) => status === 'landed' && kept.has(issuesFile(id)));
    return { features: waiting.map(({ id, title }) => ({ id, title })) };
  },
});

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '[]');
  } catch {
    return []; // only the harness writes it; a damaged file holds no issue
  }
}

/** Until the feature has landed. Those of low severity are left to the reader of the session. */
export async function keepIssues(run: R, item: string, found: readonly ReviewIssue[]): Promise<void> {
  const issues = found.filter(({ severity }) => severity !== 'low');
  if (issues.length === 0) return;
  await run.do('keep-issues', { kind: 'write', edit: editCall(issuesEdit, { item, issues }), lines: [] });
}

const ANSWERS = ['CONVERTED', 'DONE', 'ESCALATE'] as const;
type Fix = { readonly title: string; readonly why: string; readonly path: string };

/** The `FIX n: title` lines of an answer, each with what was said of the issue. */
export function fixesIn(text: string, issues: readonly ReviewIssue[]): readonly Fix[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [, number = '', title = ''] =
      /^[\s>*_`-]*FIX\s+#?(\d+)[\s*_`]*[:.—–-][\s*_`]*(.+?)[\s*_`]*$/i.exec(line) ?? [];
    const issue = issues[Number(number) - 1];
    return issue === undefined ? [] : [{ title: title.slice(0, 200), why: issue.why, path: issue.path }];
  });
}

/** At the start of a run: what earlier landings left undecided. */
export async function convertUndecided(run: R, config: Config): Promise<void> {
  const { features } = await readFacts(run, undecidedIssues, {});
  for (const { id, title } of features) await convert(run.scope(id), { facts: { id, title }, session: 0 }, config);
}

/** How many landed features have issues without a decision. */
export const countUndecided = async (run: R): Promise<number> =>
  (await readFacts(run, undecidedIssues, {})).features.length;

type Landed = Pick<ClosingSession, 'session'> & { readonly facts: Pick<ClosingSession['facts'], 'id' | 'title'> };

/** After the landing. An agent that is not available leaves the issues to the next run, and the mission continues. */
export async function convert(run: R, { facts, session }: Landed, config: Config): Promise<void> {
  const { issues } = await readFacts(run, keptIssues, { item: facts.id });
  if (issues.length === 0) return;
  const answer = await withoutStrays(run, { session, item: facts.id }, () =>
    askRole<{
      readonly word: (typeof ANSWERS)[number];
      readonly fixes: readonly Fix[];
      readonly rest: string;
    }>(
      run,
      {
        role: 'orchestrator',
        item: facts.id,
        title: facts.title,
        attempt: 1,
        opening: openingSay(orchestrator, { item: facts.id, issues }),
        read(text) {
          const found = verdictLine(text, ANSWERS);
          const fixes = fixesIn(text, issues);
          const isWhole = found !== null && (found.word !== 'CONVERTED' || fixes.length > 0);
          return Promise.resolve(
            isWhole
              ? { answer: { ...found, fixes } }
              : { problems: [{ code: 'review-unanswered', params: { role: 'orchestrator' } }] },
          );
        },
      },
      config,
    ),
  );
  if (answer.is !== 'answered') return;
  const { word, fixes, rest } = answer.answer;
  if (word === 'CONVERTED')
    await run.do('converted', {
      kind: 'commit',
      style: 'plain',
      item: facts.id,
      session,
      subject: `chore(mission): ${fixes.length} ${fixes.length === 1 ? 'fix' : 'fixes'} found with #${facts.id}`,
      body: '',
      tree: null,
      checkpoint: null,
      only: [config.paths.backlog, CONTRACT],
      edit: editCall(convertIssues, { item: facts.id, fixes }),
    });
  if (word === 'ESCALATE')
    await writeEscalation(run, {
      title: `Issues found with ${facts.id}`,
      why: `${rest}\n\n${issues.map(({ title, why }) => `- ${title}: ${why}`).join('\n')}`,
      next: ['Decide, and add what is to be built: harness add.'],
    });
  await run.do('issues-done', { kind: 'tidy', paths: [issuesFile(facts.id)], keep: [] });
}
