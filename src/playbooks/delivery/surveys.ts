// Facts that the loop and the machine of a delivery read. Each decides nothing beyond what it read.
import { z } from 'zod';
import { defineSurvey, type ReadContext } from '../../engine/definitions.ts';
import { nextFacts, nextInput } from '../../engine/playbook.ts';
import { failure } from '../../model/failure.ts';
import { factsOf, readItem } from '../session/item/facts.ts';
import { chooseNext, noNext } from '../session/item/next.ts';
import { filesFacts, missingFiles } from '../session/surveys.ts';
import { filesNamedBy, findingSchema, lineOccursIn, type LookedUp } from './convergence.ts';
import { FIDELITY } from './paths.ts';
import { completedPath, planOf, planPath } from './plans.ts';

/** Which plan is next. One that was left partly done is continued before any other. */
export const next = defineSurvey({
  id: 'delivery.next',
  input: nextInput,
  facts: nextFacts,
  read: (context, wanted) =>
    chooseNext(context, wanted, {
      choose({ first, found, named }) {
        const { only, taken } = wanted;
        if (only === FIDELITY)
          return taken.includes(only) ? noNext(failure('session-at-gate', { item: only })) : found(only);
        return only === null ? found(first()) : named(only);
      },
    }),
});

export const item = defineSurvey({
  id: 'delivery.item',
  input: z.object({ item: z.string() }),
  facts: readItem,
  read: (context, { item: id }) => factsOf(context, id, {}),
});

export const files = defineSurvey({
  id: 'delivery.files',
  input: z.object({}),
  facts: filesFacts,
  read: async (context) => ({ missing: await missingFiles(context, []), notExecutable: [] }),
});

/** Where the file of a plan is, and where it is moved to; null: there is no such plan. Others may have renamed or moved it on the remote meanwhile. */
export const placeOfPlan = defineSurvey({
  id: 'delivery.place',
  input: z.object({ item: z.string() }),
  facts: z.object({ place: z.object({ name: z.string(), from: z.string(), to: z.string() }).nullable() }),
  async read(context, { item: id }) {
    const found = await planOf(context, id);
    if (found === null) return { place: null };
    const { name } = found.plan;
    return { place: { name, from: planPath(context, name), to: completedPath(context, name) } };
  },
});

/** Plan files that differ from a revision: they belong to people. */
export const editedPlans = defineSurvey({
  id: 'delivery.edited-plans',
  input: z.object({ since: z.string() }),
  facts: z.object({ paths: z.array(z.string()).readonly() }),
  async read({ view, config }, { since }) {
    const changed = await view.changedSince(since);
    const isPlan = (path: string): boolean =>
      [config.planDir, config.completedDir].some((folder) => path.startsWith(`${folder}/`));
    return { paths: changed.filter(isPlan) };
  },
});

/** What the quotes of findings show. `since`: where the work began; `before`: the work before the last fix, null: there was none. */
export const lookUp = defineSurvey({
  id: 'delivery.look-up',
  input: z.object({
    findings: z.array(findingSchema).readonly(),
    since: z.string(),
    before: z.string().nullable(),
  }),
  facts: z.object({
    looked: z.array(z.object({ isThere: z.boolean(), isChanged: z.boolean(), wasThere: z.boolean() })).readonly(),
  }),
  async read({ view }: ReadContext, { findings, since, before }) {
    const changed = new Set(await view.changedSince(since));
    const looked: LookedUp[] = [];
    for (const { path, quote } of findings) {
      const { file, text } = await named({ view }, path, changed);
      const was = before === null || file === '' ? text : ((await view.readAt(before, file)) ?? '');
      looked.push({
        isThere: lineOccursIn(text, quote),
        isChanged: changed.has(file),
        wasThere: lineOccursIn(was, quote),
      });
    }
    return { looked };
  },
});

/** The file that a finding means; '' where there is none. */
async function named(
  { view }: Pick<ReadContext, 'view'>,
  path: string,
  changed: ReadonlySet<string>,
): Promise<{ readonly file: string; readonly text: string }> {
  const files = filesNamedBy(path);
  for (const file of [...files.filter((one) => changed.has(one)), ...files]) {
    const text = await view.read(file);
    if (text !== null) return { file, text };
  }
  return { file: '', text: '' };
}
