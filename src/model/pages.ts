// What a user sees of a web application, as an action asks for it: its development server is started, pages are opened in a browser, and both end.
import type { Problem } from './verdict.ts';

export type Viewport = { readonly name: string; readonly width: number; readonly height: number };

/** A screen on a desk, and a phone. */
export const VIEWPORTS: readonly Viewport[] = [
  { name: 'desktop', width: 1280, height: 800 },
  { name: 'phone', width: 390, height: 844 },
];

export type PagesAsk = {
  /** `ready`: only whether a browser starts here and the port is free. `look`: the pages are opened. */
  readonly purpose: 'ready' | 'look';
  /** What is seen is kept in `pages/` of its folder. */
  readonly session: number;
  /** Shell line of the development server. It runs in the work tree, and in the foreground: what is left when it exits is ended. */
  readonly start: string;
  /** Where the server answers, on this machine. In lane N its port is N higher; `PORT` in the environment of the server is the port. */
  readonly url: string;
  /** Paths on the server. */
  readonly pages: readonly string[];
  readonly viewports: readonly Viewport[];
  /** Path or name of the browser's program; null: the first Chromium on the PATH. */
  readonly browser: string | null;
  /** How long the server may take until it answers, and a page until it is complete. */
  readonly startMs: number;
  readonly pageMs: number;
};

/** What is wrong with the machine (no browser, the port is in use) blocks the action. */
export type PagesOutcome = {
  /** The server ended or did not answer; empty: the pages were looked at. */
  readonly problems: readonly Problem[];
  /** What the browser saw, page by page, at most `MAX_SEEN` characters. */
  readonly text: string;
  /** Where screenshots and everything else are kept, repository-relative; '': nothing is kept. */
  readonly folder: string;
};

/** It fits into a prompt. */
export const MAX_SEEN = 11_000;
