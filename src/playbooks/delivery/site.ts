// How a site that is served becomes a specification: its pages are looked at, a session describes what was seen, the harness looks for each quote.
//
//   look ─┬─ seen ─▶ describe ─▶ ended: landed (the file of the machine has both texts), rejected, failed
//         └─ else ─────────────▶ ended: blocked
//
// Nothing is committed: the command writes both texts.
import { withoutStrays } from '../session/strays.ts';
import { z } from 'zod';
import { defineProcedure, openingSay, readFacts } from '../../engine/definitions.ts';
import { drivable, type Drivable } from '../../engine/drivable.ts';
import type { Machine } from '../../engine/types.ts';
import { itemOutcomeSchema, type Actions } from '../../model/action.ts';
import { Bug } from '../../model/bug.ts';
import { VIEWPORTS } from '../../model/pages.ts';
import { siteReverseResult, siteReverseSchema, type SiteReverseAsk, type SiteReverseResult } from '../../model/site.ts';
import { roleSummary } from '../session/role-session.ts';
import { drafted, refusalSchema } from '../session/session-zero.ts';
import { endedStage, go, outcomeOf, procedureStages } from '../session/stages.ts';
import { SITE_DRAFT } from './paths.ts';
import { draftedSite, siteReverser } from './site-brief.ts';

const fileSchema = z.object({
  schema: z.literal(1),
  ask: siteReverseSchema,
  /** null: not yet. */
  result: siteReverseResult.nullable(),
});
export type SiteFile = z.output<typeof fileSchema>;

/** How often statements that were not seen go back; then they are listed as such. */
const MOST_RETURNED = 2;

const describedEnd = z.discriminatedUnion('end', [
  z.object({ end: z.literal('fits'), result: siteReverseResult }),
  refusalSchema.extend({ end: z.literal('refused') }),
]);

const describe = defineProcedure({
  id: 'delivery.site.describe',
  input: z.object({ url: z.string(), left: z.number() }),
  output: describedEnd,
  async perform(run, { url, left }, config): Promise<z.output<typeof describedEnd>> {
    await run.do('clear', { kind: 'tidy', paths: [SITE_DRAFT], keep: [] });
    const { session } = await run.do('number', { kind: 'number', item: null });
    const about = { session, item: null };
    let returned = 0;
    const made = await withoutStrays(run, about, async () => {
      const found = await drafted(run.scope('session'), {
        session,
        who: { role: 'site-reverser', title: config.project.name, output: SITE_DRAFT },
        opening: openingSay(siteReverser, { url, left }),
        config,
        async check(step) {
          const read = await readFacts(step, draftedSite, { url });
          returned += 1;
          return read.result === null || returned <= MOST_RETURNED ? read : { ...read, problems: [] };
        },
      });
      await run.do('close', { kind: 'close', session });
      return found;
    });
    await run.do('costs', { kind: 'remember', what: 'costs', session, item: '0' });
    const completed = made.end === 'fits' && made.result !== null;
    const reason = made.end === 'fits' ? 'end-turn' : made.reason;
    const summary = roleSummary({ item: '0', role: 'site-reverser', completed, reason, problems: made.problems });
    await run.do('record', { kind: 'remember', what: 'session', session, summary });
    if (made.end === 'refused') return made;
    const { result } = made;
    return result === null
      ? { end: 'refused', reason: 'site-draft-missing', problems: made.problems, failure: null }
      : { end: 'fits', result };
  },
});

const positionSchema = z.object({
  at: z.discriminatedUnion('stage', [
    z.object({ stage: z.literal('look') }),
    z.object({ stage: z.literal('describe'), left: z.number() }),
    z.object({ stage: z.literal('ended'), outcome: itemOutcomeSchema }),
  ]),
  mem: z.object({}),
});
type Position = z.output<typeof positionSchema>;

const PAGE_MS = 20_000;
const performs = procedureStages<SiteFile, Position['at'], Position['mem']>();
const described = outcomeOf({ result: 'landed', reason: 'site-described' });

export const siteMachine: Machine<SiteFile, Position['at'], Position['mem'], Actions> = {
  name: 'site-reverse',
  version: 1,
  file: fileSchema,
  position: positionSchema,
  place: ({ result }) => ({
    at: result === null ? { stage: 'look' } : { stage: 'ended', outcome: described },
    mem: {},
  }),
  stages: {
    look: {
      wants({ file: { ask } }) {
        const { url, pages: most, depth, browser } = ask;
        return [{ kind: 'site', key: 'look', url, most, depth, browser, viewports: VIEWPORTS, pageMs: PAGE_MS }];
      },
      apply(s, done) {
        if (done.kind !== 'site') throw new Bug(`a ${done.kind} is no look at a site`);
        const { failure, left } = done.outcome;
        if (failure === null) return go(s, { stage: 'describe', left });
        const outcome = outcomeOf({ result: 'blocked', reason: failure.reason, failure });
        return go(s, { stage: 'ended', outcome });
      },
    },
    describe: performs('describe', describe, {
      input: ({ file: { ask }, at: { left } }) => ({ url: ask.url, left }),
      next(s, made) {
        if (made.end === 'fits') {
          const file = { ...s.file, result: made.result };
          return { file, mem: s.mem, at: { stage: 'ended', outcome: described } };
        }
        const { reason, problems, failure } = made;
        const result = failure?.policy === 'needs-human' ? 'blocked' : problems.length > 0 ? 'rejected' : 'failed';
        return go(s, { stage: 'ended', outcome: outcomeOf({ result, reason, problems, failure }) });
      },
    }),
    ended: endedStage(),
  },
};

export const siteReverse = (ask: SiteReverseAsk): Drivable<Actions> =>
  drivable(
    siteMachine,
    (): SiteFile => ({ schema: 1, ask, result: null }),
    (at) => (at.stage === 'ended' ? at.outcome : null),
  );

/** What the file of the machine says; null: it cannot be read. */
export function siteFileIn(
  text: string,
): { readonly ask: SiteReverseAsk; readonly result: SiteReverseResult | null } | null {
  try {
    return fileSchema.parse(JSON.parse(text));
  } catch {
    return null; // only the harness writes it, as a whole
  }
}
