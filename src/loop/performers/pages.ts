// Looks at pages of the work tree with a browser: the development server runs in the box of the work tree, the browser in one of its own, and both
// end before the outcome, with everything that they started.
import { join } from 'node:path';
import type { ActionOf, Performer } from '../../engine/types.ts';
import { redactJson } from '../../host/redact.ts';
import type { Actions } from '../../model/action.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { toJson } from '../../model/json.ts';
import { MAX_SEEN, type PagesOutcome } from '../../model/pages.ts';
import { err, ok, type Result } from '../../model/result.ts';
import type { Problem } from '../../model/verdict.ts';
import { findBrowser, type Browser } from '../../verify/browser/chromium.ts';
import { isTaken, portOf, startServer, urlInLane } from '../../verify/browser/dev-server.ts';
import { look, type LookedPage } from '../../verify/browser/look.ts';
import { seenText } from '../../verify/browser/seen.ts';
import { laneVariables, type RunContext } from '../run-context.ts';
import { processToken } from '../token.ts';
import { pictureName, unusable, withBrowser } from './browser.ts';
import { repeatable } from './repeatable.ts';

type Ask = ActionOf<Actions, 'pages'>;
type How = { readonly token: string; readonly signal: AbortSignal };

export const looksAtPages = (context: RunContext): Performer<Ask, PagesOutcome> => ({
  async perform(ask, { token, signal }) {
    const looked = await lookAtPages(context, ask, { token: processToken(context, token), signal });
    return looked.ok ? looked.value : { blocked: looked.failure };
  },
  probe: repeatable,
});

const NOTHING: PagesOutcome = { problems: [], text: '', folder: '' };

async function lookAtPages(context: RunContext, ask: Ask, how: How): Promise<Result<PagesOutcome>> {
  const origin = urlInLane(ask.url, context.lane);
  const program = findBrowser(ask.browser, context.root);
  if (program === null) return err(failure('browser-missing', { browser: ask.browser ?? 'chromium' }));
  if (await isTaken(origin)) return err(taken(origin));
  if (ask.purpose === 'look')
    context.notify({ type: 'checking', level: 'routine', data: { purpose: 'pages', checks: ['pages'] } });
  return withBrowser<PagesOutcome>(context, { program, origin, ...how }, async (browser) =>
    ask.purpose === 'ready' ? ok(NOTHING) : lookWith(context, ask, { browser, program, origin, how }),
  );
}

const taken = (origin: URL): Failure => failure('pages-port-taken', { port: portOf(origin), url: origin.origin });

type With = { readonly browser: Browser; readonly program: string; readonly origin: URL; readonly how: How };

async function lookWith(
  context: RunContext,
  ask: Ask,
  { browser, program, origin, how }: With,
): Promise<Result<PagesOutcome>> {
  const { start, startMs, pageMs } = ask;
  const env = laneVariables(context);
  const started = await startServer({ start, url: origin, box: context.box, env, startMs, ...how });
  if ('problem' in started) {
    // Another program was faster.
    if (!how.signal.aborted && (await isTaken(origin))) return err(taken(origin));
    return ok(fault(context, ask, started.problem, { looked: [], output: started.output }));
  }
  const looked: LookedPage[] = [];
  let end: Awaited<ReturnType<typeof started.server.stop>> = { output: '', problem: null };
  try {
    for (const page of ask.pages)
      for (const viewport of ask.viewports)
        if (!how.signal.aborted)
          looked.push(await look(browser.cdp, { origin, page, viewport, pageMs, signal: how.signal }));
  } finally {
    end = await started.server.stop();
  }
  const why = await browser.whyEnded();
  if (why !== null && !how.signal.aborted) return err(unusable(context, program, why));
  const seen = { looked, output: end.output };
  if (end.problem !== null) return ok(fault(context, ask, end.problem, seen));
  return ok({ problems: [], text: textOf(context, looked), folder: keep(context, ask, seen) });
}

type Kept = { readonly looked: readonly LookedPage[]; readonly output: string };

function fault(context: RunContext, ask: Ask, { code, params }: Problem, kept: Kept): PagesOutcome {
  const tail = context.redact(String(params['tail'] ?? ''));
  return { problems: [{ code, params: { ...params, tail } }], text: '', folder: keep(context, ask, kept) };
}

const textOf = (context: RunContext, looked: readonly LookedPage[]): string =>
  context.redact(
    seenText(
      looked.map(({ seen }) => seen),
      MAX_SEEN,
    ),
  );

/** What people read of it, in the place of an earlier look of the session. */
function keep(context: RunContext, { session }: Ask, { looked, output }: Kept): string {
  const folder = join(context.stateDir, 'sessions', String(session), 'pages');
  context.io.remove(folder);
  const pages = looked.map(({ seen }) => seen);
  const files = [
    { path: join(folder, 'seen.txt'), text: `${textOf(context, looked)}\n` },
    {
      path: join(folder, 'seen.json'),
      text: `${JSON.stringify(redactJson(context.redact, toJson({ pages })), null, 2)}\n`,
    },
    { path: join(folder, 'server.txt'), text: `${context.redact(output)}\n` },
    ...looked.flatMap(({ seen, picture }, n) =>
      picture === null
        ? []
        : [{ path: join(folder, pictureName(n + 1, seen.page, seen.viewport.name)), text: picture }],
    ),
  ];
  context.io.replaceAll(files.map((file) => ({ ...file, how: 'may-be-lost' as const })));
  return [context.config.paths.stateDir, 'sessions', session, 'pages'].join('/');
}
