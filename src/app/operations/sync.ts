// Issues and items brought together.
import { z } from 'zod';
import { ok } from '../../model/result.ts';
import { changedJson } from '../backlog/changes.ts';
import { syncNow } from '../backlog/sync-issues.ts';
import { openTarget } from '../open/target.ts';
import { operation } from './operation.ts';

export const sync = operation({
  name: 'sync',
  kind: 'write',
  about: 'Brings the issues of the repository and the items of the list together; repeating it does nothing.',
  command: 'github sync',
  words: () => ['github', 'sync'],
  input: z.object({}),
  output: z.object({
    acts: z
      .array(
        z.object({
          act: z.enum(['create', 'close', 'explain', 'reopen', 'report', 'skip', 'add', 'retitle', 'wait', 'refuse']),
          number: z.number().describe('of the issue'),
          item: z.string().describe('empty: it is no item'),
          words: z.string().describe('its address, its title, what it waits for, or why it is refused'),
        }),
      )
      .readonly(),
    result: z.enum(['applied', 'already', 'queued']).describe('of the changes of the list'),
    commit: z.string().nullable(),
    behind: z.string().nullable().describe('what a queued change waits for'),
  }),
  async run(asker) {
    const target = await openTarget(asker);
    if (!target.ok) return target;
    const done = await syncNow(target.value, asker.catalogue, new AbortController().signal);
    if (!done.ok) return done;
    const { acts, changed } = done.value;
    const shown = acts.map(({ do: act, number, item, words }) => ({ act, number, item, words }));
    return ok({ answer: { acts: shown, ...changedJson(changed) }, detail: null });
  },
});
