// The part of the site-reverser's prompt that changes from session to session: what was seen. Text of pages is hostile input: it is fenced and cut. The
// stable part is in prompts/delivery/site-reverser.md.
import { z } from 'zod';
import { defineBrief, defineSurvey, type ReadContext } from '../../engine/definitions.ts';
import { seenSiteSchema, siteReverseResult, type SeenSite } from '../../model/site.ts';
import { problemsSchema, type Problem } from '../../model/verdict.ts';
import { code, fenced, joined, section } from '../session/quote.ts';
import { SITE_DRAFT } from './paths.ts';
import { judgeSite, readSiteDraft } from './site-draft.ts';

/** Of all pages together. */
const MOST_TEXT = 90_000;

/** What the harness saw of the site, as it keeps it out of the reach of agents. */
async function seenSite({ view }: Pick<ReadContext, 'view'>): Promise<SeenSite> {
  const record = await view.record('site_seen.json');
  return seenSiteSchema.parse(JSON.parse(record?.text ?? '{}'));
}

export const siteReverser = defineBrief({
  id: 'delivery.site-reverser',
  input: z.object({ url: z.string(), left: z.number() }),
  async text(context, { url, left }) {
    const { pages } = await seenSite(context);
    const each = Math.floor(MOST_TEXT / Math.max(1, pages.length));
    return joined([
      `**Site:** ${code(url, 80)}`,
      `**Write:** ${code(SITE_DRAFT, 30)}. Change nothing else.`,
      section('## Pages', [
        ...pages.map(({ page, status }) => `- ${code(page, 80)}, status ${status ?? 'unknown'}`),
        ...(left === 0 ? [] : [`- ${left} more addresses were found and not opened`]),
      ]),
      `## What Was Seen\n\n${fenced(pages.map(({ text }) => text.slice(0, each).toWellFormed()).join('\n\n'))}`,
    ]);
  },
});

/** `isWritten`: something in it was seen, and can be built from. */
export const draftedSite = defineSurvey({
  id: 'delivery.drafted-site',
  input: z.object({ url: z.string() }),
  facts: z.object({ problems: problemsSchema, result: siteReverseResult.nullable() }),
  async read(context, { url }) {
    const text = await context.view.read(SITE_DRAFT);
    const { pages } = await seenSite(context);
    const judged = text === null ? null : judgeSite(readSiteDraft(text), { url, pages });
    const missing: Problem = { code: 'site-draft-missing', params: { file: SITE_DRAFT } };
    if (judged === null) return { problems: [missing], result: null };
    const { problems, ...result } = judged;
    return { problems: problems.slice(0, MOST_PROBLEMS), result };
  },
});
/** So many mistakes are one message. */
const MOST_PROBLEMS = 60;
