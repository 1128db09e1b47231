// Looks at a site that is served somewhere: its pages are opened in a browser, what they show is kept for people in the state folder, and where no agent
// writes for the session that describes it.
import { join } from 'node:path';
import type { ActionOf, Performer } from '../../engine/types.ts';
import { redactJson } from '../../host/redact.ts';
import type { Actions } from '../../model/action.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { toJson } from '../../model/json.ts';
import { err, ok, type Result } from '../../model/result.ts';
import type { SeenOfPage, SeenSite, SiteOutcome } from '../../model/site.ts';
import { keptPath } from '../../repos/records.ts';
import { findBrowser } from '../../verify/browser/chromium.ts';
import { crawl, type Crawled, type CrawledPage } from '../../verify/browser/crawl.ts';
import { siteText, wordsOf } from '../../verify/browser/site-text.ts';
import type { RunContext } from '../run-context.ts';
import { processToken } from '../token.ts';
import { pictureName, unusable, withBrowser } from './browser.ts';
import { repeatable } from './repeatable.ts';

type Ask = ActionOf<Actions, 'site'>;

export const capturesSites = (context: RunContext): Performer<Ask, SiteOutcome> => ({
  async perform(ask, { token, signal }) {
    const captured = await capture(context, ask, { token: processToken(context, token), signal });
    return captured.ok ? captured.value : { blocked: captured.failure };
  },
  probe: repeatable,
});

async function capture(
  context: RunContext,
  ask: Ask,
  how: { readonly token: string; readonly signal: AbortSignal },
): Promise<Result<SiteOutcome>> {
  const { url, most, depth, viewports, pageMs } = ask;
  const start = new URL(url);
  const none = (why: Failure): SiteOutcome => ({ failure: why, pages: [], left: 0, folder: '' });
  const program = findBrowser(ask.browser, context.root);
  if (program === null) return ok(none(failure('browser-missing', { browser: ask.browser ?? 'chromium' })));
  context.notify({ type: 'site-opened', level: 'routine', data: { url: start.href } });
  const looked = await withBrowser<Crawled>(context, { program, origin: start, ...how }, async (browser) => {
    const found = await crawl(browser.cdp, { start, most, depth, viewports, pageMs, signal: how.signal });
    const why = await browser.whyEnded();
    return why !== null && !how.signal.aborted ? err(unusable(context, program, why)) : ok(found);
  });
  if (!looked.ok) return looked.failure.reason === 'browser-unusable' ? ok(none(looked.failure)) : looked;
  const { pages, left } = looked.value;
  const unseen = whyUnseen(url, pages[0]);
  if (unseen !== null) return ok(none(unseen));
  const seen = pages.map((page) => seenOf(context, page));
  const folder = keep(context, pages, { url, pages: seen });
  return ok({
    failure: null,
    pages: seen.map(({ page, status, title }) => ({ page, status, title })),
    left: left.length,
    folder,
  });
}

/** null: the first page was seen. */
function whyUnseen(url: string, first: CrawledPage | undefined): Failure | null {
  const seen = first?.looks[0]?.seen;
  const words = seen?.failedRequests[0] ?? '';
  if (seen?.status === 401) return failure('site-needs-login', { url, status: 401 });
  if (seen === undefined || seen.address === null || seen.status === null)
    return failure('site-unreachable', { url, words });
  // A page of an error is no site.
  return seen.status >= 400 ? failure('site-unreachable', { url, words: words || `status ${seen.status}` }) : null;
}

function seenOf({ redact }: RunContext, { page, looks }: CrawledPage): SeenOfPage {
  const { status = null, title = '' } = looks[0]?.seen ?? {};
  return { page, status, title: redact(title), text: redact(siteText(looks)), words: wordsOf(looks).map(redact) };
}

/** What people read of it, in the place of an earlier look at a site; and the record of it. */
function keep(context: RunContext, pages: readonly CrawledPage[], seen: SeenSite): string {
  const folder = join(context.stateDir, 'site');
  context.io.remove(folder);
  const all = pages.flatMap(({ looks }) => looks);
  const details = toJson({ url: seen.url, pages: all.map(({ seen: one, forms }) => ({ ...one, forms })) });
  const shown = [
    { path: join(folder, 'seen.txt'), text: `${seen.pages.map(({ text }) => text).join('\n\n')}\n` },
    { path: join(folder, 'seen.json'), text: `${JSON.stringify(redactJson(context.redact, details), null, 2)}\n` },
    ...all.flatMap(({ seen: { page, viewport }, picture }, n) =>
      picture === null ? [] : [{ path: join(folder, pictureName(n + 1, page, viewport.name)), text: picture }],
    ),
  ];
  context.io.replaceAll([
    ...shown.map((file) => ({ ...file, how: 'may-be-lost' as const })),
    { path: keptPath(context, 'site_seen.json'), text: `${JSON.stringify(seen)}\n` },
  ]);
  return [context.config.paths.stateDir, 'site'].join('/');
}
