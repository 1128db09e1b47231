// What a browser shows of the work: asked for by machines that have a role to judge it (docs/pages.md).
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import { VIEWPORTS, type PagesAsk, type PagesOutcome } from '../../model/pages.ts';

/** The development server, as the configuration says it. */
export type Served = Pick<PagesAsk, 'start' | 'url' | 'pages' | 'browser'> & {
  readonly startSeconds: number;
  readonly pageSeconds: number;
};

const asked = (
  { start, url, pages, browser, startSeconds, pageSeconds }: Served,
  session: number,
): Omit<PagesAsk, 'purpose'> => ({
  session,
  start,
  url,
  pages,
  viewports: VIEWPORTS,
  browser,
  startMs: Math.round(startSeconds * 1000),
  pageMs: Math.round(pageSeconds * 1000),
});

/** Before an agent is paid: a browser starts here and the port is free. If not, the run is blocked. */
export async function readyForPages(run: Run<Actions>, served: Served, session: number): Promise<void> {
  await run.do('ready', { kind: 'pages', purpose: 'ready', ...asked(served, session) });
}

export const lookAtPages = (run: Run<Actions>, served: Served, session: number): Promise<PagesOutcome> =>
  run.do('look', { kind: 'pages', purpose: 'look', ...asked(served, session) });
