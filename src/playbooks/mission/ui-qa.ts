// What a browser shows of a feature: asked for where an assertion of it is about the user interface, and judged by the role `ui-qa`.
import { readFacts } from '../../engine/definitions.ts';
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { Checkpoint } from '../../model/checkpoint.ts';
import type { Config } from '../../model/config.ts';
import type { Problem } from '../../model/verdict.ts';
import type { ClosingSession } from '../session/ending-hooks.ts';
import { lookAtPages, readyForPages } from '../session/pages.ts';
import { claimsOf } from './review-facts.ts';
import { takeBack } from '../session/strays.ts';

type R = Run<Actions>;

/** Of these assertions those of the areas: `VAL-UI-001` is of `UI`. */
export function claimsIn(claims: readonly string[], areas: readonly string[]): readonly string[] {
  const wanted = new Set(areas.map((area) => area.toUpperCase()));
  return claims.filter((claim) => wanted.has(/^VAL-(.+)-\d+$/.exec(claim)?.[1] ?? ''));
}

type About = { readonly item: string; readonly session: number };

/** The assertions that a browser is needed for; empty: none, or none is configured. */
async function shownClaims(run: R, item: string, { mission: { ui } }: Config): Promise<readonly string[]> {
  if (ui === null) return [];
  const { claims } = await readFacts(run, claimsOf, { item });
  return claimsIn(
    claims.map(({ id }) => id),
    ui.areas,
  );
}

/** Before an agent is paid: a browser starts here and the port is free. If not, the run is blocked. */
export async function readyToLook(run: R, { item, session }: About, config: Config): Promise<void> {
  const { ui } = config.mission;
  if (ui === null || (await shownClaims(run, item, config)).length === 0) return;
  await readyForPages(run, ui, session);
}

/** `problems`: why nothing can be judged; the work is at fault. */
export type Shown = {
  readonly claims: readonly string[];
  readonly output: string;
  readonly problems: readonly Problem[];
};

/** null: nothing of the feature is about the user interface. */
export async function shownInBrowser(
  run: R,
  { facts: { id: item }, session }: ClosingSession,
  before: Checkpoint,
  config: Config,
): Promise<Shown | null> {
  const { ui } = config.mission;
  const claims = await shownClaims(run, item, config);
  if (ui === null || claims.length === 0) return null;
  const { text, problems } = await lookAtPages(run, ui, session);
  // A development server may write: what lands is what was proved.
  await takeBack(run, before, { session, item });
  return { claims, output: text, problems };
}
