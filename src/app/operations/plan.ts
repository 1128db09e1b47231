// Plans from a specification, and a specification from a site: what a session drafts and the harness checks.
import { z } from 'zod';
import { failure, type Failure } from '../../model/failure.ts';
import { err, ok } from '../../model/result.ts';
import { NO_WATCHER } from '../open/run-context.ts';
import { openTarget } from '../open/target.ts';
import { planFrom, type PlanReport } from '../setup/plan.ts';
import { openForSites, reverseSite, type SiteReport } from '../setup/site-reverse.ts';
import type { Problem } from '../../model/verdict.ts';
import { operation } from './operation.ts';

const list = <S extends z.ZodType>(shape: S) => z.array(shape).readonly();
/** A session of an agent takes its time. */
const HOURS_MS = 4 * 60 * 60_000;

const rejected = (problems: readonly Problem[], why: Failure | null): Failure =>
  why ?? failure('init-rejected', { count: problems.length });

const planShape = z.object({
  spec: z.string(),
  commit: z.string(),
  made: list(z.string()).describe('paths of the commit'),
  plans: list(
    z.object({ id: z.string(), title: z.string(), depends_on: list(z.string()), test_file: z.string().nullable() }),
  ),
});

/** null: nothing was committed. */
export const planAnswer = ({ spec, report, plans }: PlanReport): z.output<typeof planShape> | null =>
  report.commit === null
    ? null
    : {
        spec,
        commit: report.commit,
        made: report.made,
        plans: plans.map(({ id, title, dependsOn, testFile }) => ({
          id,
          title,
          depends_on: dependsOn,
          test_file: testFile,
        })),
      };

export const plan = operation({
  name: 'plan',
  kind: 'write',
  about: 'Makes plans from a specification: an agent drafts them, the harness checks them, one commit adds them.',
  command: 'plan [SPEC]',
  words: ({ spec }) => ['plan', ...(spec === null ? [] : ['--', spec])],
  limitMs: HOURS_MS,
  input: z.object({
    spec: z.string().nullable().default(null).describe('its path; null: `SPEC.md`'),
  }),
  output: planShape,
  async run(asker, { spec }) {
    const target = await openTarget(asker);
    if (!target.ok) return target;
    const done = await planFrom(target.value, { spec, cwd: asker.repo }, new AbortController().signal, NO_WATCHER);
    if (!done.ok) return done;
    const answer = planAnswer(done.value);
    const { problems, failure: why } = done.value.report;
    return answer === null ? err(rejected(problems, why)) : ok({ answer, detail: null });
  },
});

const siteShape = z.object({
  url: z.string(),
  spec: z.string(),
  acceptance: z.string(),
  statements: z.number(),
  criteria: z.number(),
  not_seen: z.number().describe('statements that nothing that was seen shows'),
  pages: list(z.string()).describe('pages that were looked at'),
  folder: z.string().describe('pictures, and what was seen'),
});

/** null: nothing was written. */
export const siteAnswer = ({ ask, made, seen }: SiteReport): z.output<typeof siteShape> | null =>
  made === null
    ? null
    : {
        url: ask.url,
        spec: made.spec,
        acceptance: made.acceptance,
        statements: made.result.statements,
        criteria: made.result.criteria,
        not_seen: made.result.notSeen,
        ...seen,
      };

export const siteReverse = operation({
  name: 'site-reverse',
  kind: 'write',
  about: 'Makes a specification from a site that is served: a browser looks at it, an agent describes what was seen.',
  command: 'site-reverse URL',
  words: ({ url, out, pages, depth }) => [
    'site-reverse',
    ...(out === null ? [] : [`--out=${out}`]),
    ...(pages === null ? [] : [`--pages=${pages}`]),
    ...(depth === null ? [] : [`--depth=${depth}`]),
    '--',
    url,
  ],
  limitMs: HOURS_MS,
  input: z.object({
    url: z.string().describe('http or https; only its origin is reached'),
    out: z.string().nullable().default(null).describe('the file; null: `docs/spec/site.md`'),
    pages: z.number().int().positive().nullable().default(null).describe('at most so many are opened; null: 12'),
    depth: z.number().int().nonnegative().nullable().default(null).describe('links away from the first; null: 3'),
  }),
  output: siteShape,
  async run(asker, wish) {
    const target = await openForSites(asker);
    if (!target.ok) return target;
    const ask = { wish: { ...wish, browser: null }, cwd: asker.repo };
    const done = await reverseSite(target.value, ask, new AbortController().signal, NO_WATCHER);
    if (!done.ok) return done;
    const answer = siteAnswer(done.value);
    const { problems, failure: why } = done.value;
    return answer === null ? err(rejected(problems, why)) : ok({ answer, detail: null });
  },
});
