// What a user sees of a site that is served somewhere, as an action asks for it: its pages are opened in a browser, from one to the next by their links.
import { z } from 'zod';
import type { Failure } from './failure.ts';
import type { Viewport } from './pages.ts';

export type SiteAsk = {
  /** Where it begins. Only its origin is reached. */
  readonly url: string;
  /** At most so many pages are opened. */
  readonly most: number;
  /** How many links a page may be away from the first. */
  readonly depth: number;
  readonly viewports: readonly Viewport[];
  /** Path or name of the browser's program; null: the first Chromium on the PATH. */
  readonly browser: string | null;
  /** How long a page may take until it is complete. */
  readonly pageMs: number;
};

/** `failure`: the site cannot be looked at; what is wrong with the machine blocks the action. */
export type SiteOutcome = {
  readonly failure: Failure | null;
  readonly pages: readonly SitePage[];
  /** Addresses that were found and not opened. */
  readonly left: number;
  /** Where screenshots and everything else are kept, repository-relative; '': nothing is kept. */
  readonly folder: string;
};

/** `status` null: there was no answer. */
const sitePage = z.object({ page: z.string(), status: z.number().nullable(), title: z.string() });
export type SitePage = z.output<typeof sitePage>;

/** What was seen, as the record `site_seen.json` has it. `text`: what a role reads of a page · `words`: all of it, for quotes. */
export const seenSiteSchema = z.object({
  url: z.string(),
  pages: z.array(sitePage.extend({ text: z.string(), words: z.array(z.string()).readonly() })).readonly(),
});
export type SeenSite = z.output<typeof seenSiteSchema>;
export type SeenOfPage = SeenSite['pages'][number];

/** What a specification is made from. */
export const siteReverseSchema = z.object({
  url: z.string(),
  /** Where the specification is written, repository-relative. */
  out: z.string(),
  pages: z.number(),
  depth: z.number(),
  browser: z.string().nullable(),
});
export type SiteReverseAsk = z.output<typeof siteReverseSchema>;

/** The two files, and what is in them. */
export const siteReverseResult = z.object({
  spec: z.string(),
  acceptance: z.string(),
  statements: z.number(),
  criteria: z.number(),
  /** Statements that nothing that was seen shows. */
  notSeen: z.number(),
});
export type SiteReverseResult = z.output<typeof siteReverseResult>;
