// The list, and one item of it.
import { z } from 'zod';
import { apartSchema } from '../../model/expected-files.ts';
import { jsonSchema } from '../../model/json.ts';
import type { Item } from '../../model/item.ts';
import { ok } from '../../model/result.ts';
import { listItems, showItem, type ItemDetail } from '../backlog/items.ts';
import { costShape } from '../look/status-answer.ts';
import { openProjectView } from '../open/project-view.ts';
import { operation } from './operation.ts';

const list = <S extends z.ZodType>(shape: S) => z.array(shape).readonly();

const itemShape = z.object({
  id: z.string(),
  title: z.string(),
  status: z.enum(['pending', 'ready', 'active', 'waiting', 'landed', 'unproved', 'failed', 'blocked', 'skipped']),
  depends_on: list(z.string()),
  priority: z.number().nullable(),
  attempts: z.number(),
  max_attempts: z.number().optional(),
  blocked_by: list(z.string()),
});
const listedShape = itemShape.extend({
  apart: apartSchema
    .omit({ item: true })
    .optional()
    .describe('it waits for `after`, as both are expected to change `file`; left out: it does not'),
});

const itemAnswer = (item: Item) => ({
  id: item.id,
  title: item.title,
  status: item.status,
  depends_on: item.dependsOn,
  priority: item.priority,
  attempts: item.attempts,
  ...(item.maxAttempts === undefined ? {} : { max_attempts: item.maxAttempts }),
  blocked_by: item.blockedBy,
});

export const items = operation({
  name: 'items',
  kind: 'read',
  about: 'The list of items, in the order of its file.',
  command: 'items',
  input: z.object({}),
  output: z.object({ items: list(listedShape) }),
  async run(asker) {
    const view = await openProjectView(asker);
    if (!view.ok) return view;
    const found = await listItems(view.value);
    if (!found.ok) return found;
    const detail = { list: found.value, playbook: view.value.playbook };
    const apart = new Map(found.value.apart.map(({ item: id, after, file }) => [id, { after, file }]));
    const answered = found.value.items.map((one) => {
      const waits = apart.get(one.id);
      return { ...itemAnswer(one), ...(waits === undefined ? {} : { apart: waits }) };
    });
    return ok({ answer: { items: answered }, detail });
  },
});

const detailShape = itemShape.extend({
  test_file: z.string().nullable(),
  needed_by: list(z.string()),
  sessions: list(
    z.object({
      session: z.number(),
      result: z.string(),
      reason: z.string(),
      commit: z.string().nullable(),
      evidence: z.string().nullable(),
    }),
  ),
  cost: costShape.pick({ usd: true }),
  gates: list(z.string()).describe('open questions about it'),
  entry: jsonSchema.describe('the entry of the list, as it is written there'),
});

const detailAnswer = (detail: ItemDetail): z.output<typeof detailShape> => ({
  ...itemAnswer(detail.item),
  test_file: detail.testFile,
  needed_by: detail.neededBy,
  sessions: detail.sessions,
  cost: { usd: detail.usd },
  gates: detail.gates,
  entry: detail.entry,
});

export const item = operation({
  name: 'item',
  kind: 'read',
  about: 'One item with its sessions, cost, open questions and its entry in the list.',
  command: 'items show ITEM',
  input: z.object({ item: z.string().describe('its id, with or without #, or a unique prefix') }),
  output: z.object({ item: detailShape }),
  async run(asker, { item: word }) {
    const view = await openProjectView(asker);
    if (!view.ok) return view;
    const detail = await showItem(view.value, word);
    return detail.ok ? ok({ answer: { item: detailAnswer(detail.value) }, detail: detail.value }) : detail;
  },
});
