// Facts that the loop and the machine of a mission read. Each decides nothing beyond what it read.
import { z } from 'zod';
import { defineSurvey, type ReadContext } from '../../engine/definitions.ts';
import { nextFacts, nextInput, type NextFacts } from '../../engine/playbook.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { factsOf, notReady, readItem } from '../session/item/facts.ts';
import { stateOf } from '../session/last.ts';
import { committedList, filesFacts, isDone, listOf, missingFiles } from '../session/surveys.ts';
import { decide, type MissionState } from './decision.ts';
import { CONTRACT } from './paths.ts';
import { readMission } from './schema.ts';

/** Which feature is next. One that was left partly done is continued before any other. */
export const next = defineSurvey({
  id: 'mission.next',
  input: nextInput,
  facts: nextFacts,
  async read(context, { only, taken, prefer: wanted = null }) {
    const none = (why: Failure, more: Pick<NextFacts, 'cycle'> = {}): NextFacts => ({
      next: null,
      remaining: 0,
      session: 0,
      failure: why,
      ...more,
    });
    const { view, backlog, config } = context;
    const list = await (taken.length > 0 ? committedList : listOf)(context);
    if (!list.ok) {
      const cycle = backlog.cycle?.((await view.read(config.paths.backlog)) ?? '') ?? null;
      return none(list.failure, cycle === null ? {} : { cycle });
    }
    const state = await stateOf(context);
    if (!state.ok) return none(state.failure);
    const { items } = list.value;
    const { current_feature: current, next_prompt: prompt, last_session: last } = state.value;
    const over = new Set(items.filter((item) => item.status === 'skipped' || isDone(item)).map(({ id }) => id));
    const leftover = (await view.worksInProgress()).find(({ item: id }) => over.has(id))?.item;
    const session = Math.max(last, await view.lastSession()) + 1;
    const remaining = items.filter((item) => !isDone(item) && item.status !== 'skipped').length;
    const found = (item: string | null): NextFacts => ({
      next: item,
      remaining,
      session,
      failure: null,
      ...(leftover === undefined ? {} : { leftover }),
    });
    if (only !== null) {
      if (taken.includes(only)) return found(null);
      return list.value.canStart(only) ? found(only) : none(notReady(only, list.value));
    }
    const prefer = wanted ?? (prompt === 'continuation' && current !== null ? String(current) : null);
    const first = list.value.next({ prefer, taken: new Set(taken) });
    const known = { next: first, remaining, isBusy: taken.length > 0, ungranted: [] };
    const decided = decide({ ...known, isUnclear: first !== null && (await isUnclear(context, first)) });
    switch (decided.decision) {
      case 'NEXT_WORKER':
      case 'NEXT_ARCHITECT':
        return { ...found(decided.feature), prompt: decided.decision };
      case 'ESCALATE':
        return none(givenUp(items.filter((item) => !isDone(item) && item.status !== 'skipped').map(({ id }) => id)));
      default:
        return found(null);
    }
  },
});

/** The last session on it ended because an assertion can be read in two ways. */
export async function isUnclear(context: ReadContext, item: string): Promise<boolean> {
  const { facts } = await factsOf(context, item, {});
  return facts !== null && facts.failed.some(({ code }) => code === 'review-unclear');
}

/** At most this many are named. */
const MOST_NAMED = 10;

/** None of them can start: a user has to decide. */
const givenUp = (ids: readonly string[]): Failure =>
  failure('items-given-up', {
    count: ids.length,
    items: [
      ...ids.slice(0, MOST_NAMED),
      ...(ids.length > MOST_NAMED ? [`… ${ids.length - MOST_NAMED} more`] : []),
    ].join(', '),
  });

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
  }),
  async read({ view, config }): Promise<{ checkpoints: MissionState['ungranted']; features: number }> {
    const read = readMission((await view.read(config.paths.backlog)) ?? '', '', { allowCycles: true });
    const granted = new Set((read.ok ? (read.value.checkpoints ?? []) : []).map(({ name }) => name));
    const checkpoints = config.checkpoints.types
      .filter(({ name }) => !granted.has(name))
      .map(({ name, triggerOn: on }) => ({ name, on }));
    return { checkpoints, features: read.ok ? read.value.features.length : 0 };
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
