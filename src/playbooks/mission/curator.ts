// The curator renews the memory of the mission: what every session reads at its start, and what more than one of them found out. The harness counts
// and writes; what is too long goes back to the curator, and is cut at last.
import { z } from 'zod';
import { defineBrief, defineSurvey, openingSay, readFacts } from '../../engine/definitions.ts';
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import { fenced, joined, section, quote } from '../session/quote.ts';
import { DRAFT } from './paths.ts';
import { askRole } from './role-session.ts';
import { withoutStrays } from '../session/strays.ts';

type R = Run<Actions>;

const freshness = defineSurvey({
  id: 'mission.freshness',
  input: z.object({}),
  /** `fresh`: entries that no curation has read · `upTo`: the marker after the last that the next one reads. */
  facts: z.object({ fresh: z.number(), upTo: z.number() }),
  read({ memory }) {
    const known = memory?.freshness();
    const raw = memory?.rawSince();
    const fresh = known?.ok === true ? known.value.fresh : 0;
    return Promise.resolve({ fresh, upTo: raw?.ok === true ? raw.value.upTo : 0 });
  },
});

const curator = defineBrief({
  id: 'mission.curator',
  input: z.object({}),
  text({ memory }) {
    const [raw, texts, tricks] = [memory?.rawSince(), memory?.curatedTexts(), memory?.tricks()];
    const { summary, memory: long } = texts?.ok === true ? texts.value : { summary: '', memory: '' };
    const known = tricks?.ok === true ? tricks.value.filter(({ isConfirmed }) => isConfirmed) : [];
    return Promise.resolve(
      joined([
        `## Raw Memory\n\n${fenced(raw?.ok === true ? raw.value.text : '')}`,
        summary === '' ? '' : `## The Present Summary\n\n${fenced(summary)}`,
        long === '' ? '' : `## The Present Long Memory\n\n${fenced(long)}`,
        section(
          '## Tricks That Can Be Promoted',
          known.slice(-40).map(({ text, roles }) => `- ${quote(text, 80)} (${[...new Set(roles)].join(', ')})`),
        ),
      ]),
    );
  },
});

/** Where enough entries are new. `least`: so many. An agent that is not available leaves the memory as it is. */
export async function curateIfDue(
  run: R,
  of: { readonly session: number; readonly item: string | null },
  least: number,
  config: Config,
): Promise<void> {
  const { fresh, upTo } = await readFacts(run, freshness, {});
  if (fresh < least) return;
  await run.do('clear', { kind: 'tidy', paths: [DRAFT.curated], keep: [] });
  let tries = 0;
  await withoutStrays(run, of, () =>
    askRole<true>(
      run,
      {
        role: 'curator',
        item: null,
        title: config.project.name,
        attempt: 1,
        output: DRAFT.curated,
        opening: openingSay(curator, {}),
        async read(_text, step, session) {
          tries += 1;
          const last = tries > 2 ? { isLast: true as const } : {};
          const ask = { kind: 'remember', what: 'curated', session, file: DRAFT.curated, upTo, ...last } as const;
          const { curated } = await step.do('curate', ask);
          const problems = curated?.problems ?? [];
          return problems.length === 0 ? { answer: true } : { problems };
        },
      },
      config,
    ),
  );
  await run.do('done', { kind: 'tidy', paths: [DRAFT.curated], keep: [] });
}
