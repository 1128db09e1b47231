// Pages of a site, from the first along the links of its own origin, the nearest first: each in windows of several sizes. Bounded in number and depth.
import type { Viewport } from '../../model/pages.ts';
import type { Cdp } from './cdp.ts';
import { look, type LookedPage } from './look.ts';

export type Crawl = {
  readonly start: URL;
  readonly most: number;
  readonly depth: number;
  readonly viewports: readonly Viewport[];
  readonly pageMs: number;
  readonly signal: AbortSignal;
};
/** One page: its path with its query, and the looks at it, one for each window. */
export type CrawledPage = { readonly page: string; readonly looks: readonly LookedPage[] };
export type Crawled = {
  readonly pages: readonly CrawledPage[];
  /** Paths that were found and not opened. */
  readonly left: readonly string[];
};

/** Files that are no pages. */
const NO_PAGE =
  /\.(?:7z|avi|avif|bmp|bz2|css|csv|dmg|doc|docx|eot|exe|gif|gz|ico|jpe?g|js|json|map|mjs|mov|mp[34]|ogg|otf|pdf|png|ppt|pptx|rar|rss|svg|tar|tgz|ttf|txt|wasm|wav|webm|webp|woff2?|xls|xlsx|xml|zip)$/i;

/** The path of a link that is a page of the same origin; null: it is none. */
export function pageOf(link: string, origin: URL): string | null {
  const url = URL.canParse(link, origin.href) ? new URL(link, origin.href) : null;
  if (url === null || url.origin !== origin.origin || url.username !== '' || url.password !== '') return null;
  // A path that begins with two slashes is another host, read again.
  const isNone = url.pathname.startsWith('//') || NO_PAGE.test(url.pathname) || url.href.length > MOST_CHARACTERS;
  return isNone ? null : `${url.pathname}${url.search}`;
}
const MOST_CHARACTERS = 1_000;
/** More addresses are not remembered. */
const MOST_KNOWN = 2_000;

export async function crawl(cdp: Cdp, { start, most, depth, viewports, pageMs, signal }: Crawl): Promise<Crawled> {
  const first = `${start.pathname}${start.search}`;
  const known = new Set([first]);
  const waiting: { readonly page: string; readonly away: number }[] = [{ page: first, away: 0 }];
  const pages: CrawledPage[] = [];
  const tooFar: string[] = [];
  const reached = new Set<string>();
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (signal.aborted || pages.length >= most) {
      waiting.unshift(next);
      break;
    }
    const { page, away } = next;
    const looks: LookedPage[] = [];
    for (const viewport of viewports) {
      if (signal.aborted) break;
      const looked = await look(cdp, { origin: start, page, viewport, pageMs, signal, withLinks: true });
      // It leads to a page that was seen.
      const end = looked.seen.address === null ? null : pageOf(looked.seen.address, start);
      if (looks.length === 0 && end !== null && end !== page && reached.has(end)) break;
      if (end !== null) reached.add(end);
      looks.push(looked);
    }
    if (looks.length === 0) continue;
    pages.push({ page, looks });
    for (const link of looks.flatMap(({ links }) => links)) {
      const found = pageOf(link, start);
      if (found === null || known.has(found) || known.size >= MOST_KNOWN) continue;
      known.add(found);
      if (away < depth) waiting.push({ page: found, away: away + 1 });
      else tooFar.push(found);
    }
  }
  return { pages, left: [...waiting.map(({ page }) => page), ...tooFar] };
}
