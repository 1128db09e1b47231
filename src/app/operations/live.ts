// The lanes of a live run as people watch them: item, stage, tool at work, tokens, money.
import { z } from 'zod';
import { ok } from '../../model/result.ts';
import { liveSession } from '../look/live-session.ts';
import { loggedRuns, notableEvents } from '../look/run-events.ts';
import { readStatus } from '../look/status.ts';
import { costShape, laneShape } from '../look/status-answer.ts';
import { listItems } from '../backlog/items.ts';
import { openProjectView } from '../open/project-view.ts';
import { operation } from './operation.ts';

const maybe = z.string().nullable();
const CHECKS = new Set(['checking', 'checked']);

export const lanes = operation({
  name: 'lanes',
  kind: 'read',
  about: 'What each live session is doing now: the tool at work, its last steps and words, tokens and money so far.',
  command: null,
  input: z.object({}),
  output: z.object({
    lanes: z
      .array(
        laneShape.extend({
          title: z.string(),
          role: maybe,
          provider: maybe,
          model: maybe,
          checking: z.array(z.string()).readonly().nullable().describe('the checks that run now; null: none'),
          steps: z
            .array(z.object({ at: z.string(), tool: z.string(), about: z.string(), ok: z.boolean().nullable() }))
            .readonly()
            .describe('its last tool calls, oldest first; ok null: still at work'),
          said: z.string(),
          cost: costShape,
        }),
      )
      .readonly(),
  }),
  async run(asker) {
    const view = await openProjectView(asker);
    if (!view.ok) return view;
    const { workspaceDir } = view.value;
    const status = await readStatus(view.value);
    if (!status.ok) return status;
    const working = status.value.json.lanes;
    const titles = working.length === 0 ? [] : await titlesOf(view.value);
    const events = working.length === 0 ? [] : notableEvents(workspaceDir, loggedRuns(workspaceDir).at(-1) ?? '');
    const all = working.map((lane) => {
      const live = liveSession(workspaceDir, lane.session);
      const own = events.filter(({ session }) => session === lane.session);
      const agent = own.findLast(({ type }) => type === 'session-started')?.data;
      // Checks before its agent starts name no session where there is one lane.
      const last = (working.length === 1 ? events : own).findLast(({ type }) => CHECKS.has(type));
      const checks = last?.type === 'checking' ? last.data?.['checks'] : null;
      return {
        ...lane,
        title: titles.find(({ id }) => id === lane.item)?.title ?? '',
        role: word(agent?.['role']),
        provider: word(agent?.['provider']),
        model: word(agent?.['model']),
        checking: Array.isArray(checks) ? checks.map(String) : null,
        steps: live.steps,
        said: live.said,
        cost: { usd: live.usd, tokens: live.tokens },
      };
    });
    return ok({ answer: { lanes: all }, detail: null });
  },
});

const titlesOf = async (view: Parameters<typeof listItems>[0]) => {
  const found = await listItems(view);
  return found.ok ? found.value.items : [];
};

const word = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
