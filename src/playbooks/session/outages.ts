// The same crash of the agent on two items in a row is an outage of the environment: neither item is to blame.
import { z } from 'zod';
import { defineSurvey, readFacts } from '../../engine/definitions.ts';
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import { failureSchema, type Failure } from '../../model/failure.ts';

const recordShape = z.looseObject({
  feature_id: z.union([z.number(), z.string()]),
  failure: failureSchema.nullable().default(null),
});

/** Numbers of sessions may be missing: another work tree has them. */
const MOST_BACK = 3;

/** The item of the session before this one, if that ended by the same crash and was on another item; null: it is not so. */
export const crashedBefore = defineSurvey({
  id: 'crashed-before',
  input: z.object({ session: z.number(), item: z.string(), failure: failureSchema }),
  facts: z.object({ item: z.string().nullable() }),
  async read({ view, config }, { session, item, failure }) {
    for (let n = session - 1; n > 0 && n >= session - MOST_BACK; n -= 1) {
      const text = await view.read(`${config.paths.stateDir}/sessions/${n}/session.json`);
      const read = text === null ? null : recordShape.safeParse(parsed(text));
      if (read === null) continue;
      if (!read.success || read.data.failure === null) return { item: null };
      const other = String(read.data.feature_id);
      return { item: other !== item && isSame(read.data.failure, failure) ? other : null };
    }
    return { item: null };
  },
});

/** `blamed`: the item of the session before, whose attempt was counted for the same crash; null: it is a failure of this item alone. */
export async function unblamed(
  run: Run<Actions>,
  about: { readonly session: number; readonly item: string },
  why: Failure,
): Promise<{ readonly failure: Failure; readonly blamed: string | null }> {
  if (why.policy === 'needs-human') return { failure: why, blamed: null };
  const { item: blamed } = await readFacts(run, crashedBefore, { ...about, failure: why });
  return { failure: blamed === null ? why : { ...why, policy: 'needs-human' }, blamed };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The same but for numbers: times, ids of processes and addresses differ each time. */
const isSame = (a: Failure, b: Failure): boolean => a.reason === b.reason && wordsOf(a) === wordsOf(b);
const wordsOf = ({ params }: Failure): string =>
  Object.entries(params)
    .map(([name, value]) => `${name}=${lastLine(String(value))}`)
    .sort()
    .join('\n')
    .replace(/\b0x[0-9a-f]+|\d+/gi, '#');
const lastLine = (text: string): string => text.trim().split('\n').at(-1)?.trim() ?? '';
