// Facts that the loop and the machine of a mission read. Each decides nothing beyond what it read.
import { z } from 'zod';
import { defineSurvey, type ReadContext } from '../../engine/definitions.ts';
import { nextFacts, nextInput } from '../../engine/playbook.ts';
import { factsOf, readItem } from '../session/item/facts.ts';
import { chooseNext, givenUp, noNext } from '../session/item/next.ts';
import { filesFacts, missingFiles } from '../session/surveys.ts';
import { decide } from './decision.ts';
import { assertionsFor } from './contract.ts';
import { CONTRACT } from './paths.ts';
import { contractOf } from './plan.ts';
import { readMission } from './schema.ts';

/** Which feature is next. One that was left partly done is continued before any other. */
export const next = defineSurvey({
  id: 'mission.next',
  input: nextInput,
  facts: nextFacts,
  read: (context, wanted) =>
    chooseNext(context, wanted, {
      async more(reading) {
        const contract = await contractOf(reading);
        return ({ steps }) => assertionsFor(contract, steps).flatMap(({ text, details }) => [text, details]);
      },
      async choose({ open, first, found, named }) {
        const { only, taken } = wanted;
        if (only !== null) return named(only);
        const next = first();
        const known = { next, remaining: open.length, isBusy: taken.length > 0, ungranted: [] };
        const decided = decide({ ...known, isUnclear: next !== null && (await isUnclear(context, next)) });
        switch (decided.decision) {
          case 'NEXT_WORKER':
          case 'NEXT_ARCHITECT':
            return { ...found(decided.feature), prompt: decided.decision };
          case 'ESCALATE':
            return noNext(givenUp(open));
          default:
            return found(null);
        }
      },
    }),
});

/** The last session on it ended because an assertion can be read in two ways. */
export async function isUnclear(context: ReadContext, item: string): Promise<boolean> {
  const { facts } = await factsOf(context, item, {});
  return facts !== null && facts.failed.some(({ code }) => code === 'review-unclear');
}

export const item = defineSurvey({
  id: 'mission.item',
  input: z.object({ item: z.string() }),
  facts: readItem,
  read: (context, { item: id }) => factsOf(context, id, {}),
});

export const files = defineSurvey({
  id: 'mission.files',
  input: z.object({}),
  facts: filesFacts,
  async read(context) {
    const { backlog, machine } = context.config.playbook;
    return { missing: await missingFiles(context, backlog === machine ? [CONTRACT] : []), notExecutable: [] };
  },
});

/** Checkpoints of the configuration that no user has granted yet. */
export const ungranted = defineSurvey({
  id: 'mission.ungranted',
  input: z.object({}),
  facts: z.object({
    checkpoints: z.array(z.object({ name: z.string(), on: z.enum(['post-planner', 'pre-done']) })).readonly(),
    features: z.number(),
    /** The list can be read, and nothing is planned. A position that an older version stored does not have it. */
    isEmpty: z.literal(true).optional(),
    /** The list has mistakes: what was granted is not known. Left out: it can be read. */
    isUnreadable: z.literal(true).optional(),
  }),
  async read({ view, backlog, config }) {
    const text = (await view.read(config.paths.backlog)) ?? '';
    const read = readMission(text, '', { allowCycles: true });
    const granted = new Set((read.ok ? (read.value.checkpoints ?? []) : []).map(({ name }) => name));
    const checkpoints = config.checkpoints.types
      .filter(({ name }) => !granted.has(name))
      .map(({ name, triggerOn: on }) => ({ name, on }));
    const list = backlog.read(text, '', { allowCycles: true });
    const features = list.ok ? list.value.items.length : 0;
    if (!list.ok) return { checkpoints, features, isUnreadable: true as const };
    return { checkpoints, features, ...(features === 0 ? { isEmpty: true as const } : {}) };
  },
});

/** Files of the mission that are there, and that no commit has yet. */
export const uncommitted = defineSurvey({
  id: 'mission.uncommitted',
  input: z.object({}),
  facts: z.object({ paths: z.array(z.string()).readonly() }),
  async read({ view, config }) {
    const paths: string[] = [];
    for (const path of [config.paths.backlog, CONTRACT])
      if ((await view.read(path)) !== null && (await view.readAt('HEAD', path)) === null) paths.push(path);
    return { paths };
  },
});
