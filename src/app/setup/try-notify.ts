// Sends a message on every channel of `notify`, so that a user knows before the night whether they arrive.
import { channelsIn, sendOn } from '../../gates/notices/send.ts';
import type { Channel } from '../../model/notice.ts';
import { ok, type Result } from '../../model/result.ts';
import type { Where } from '../open/project-view.ts';
import { openTarget } from '../open/target.ts';

/** `why` null: it was taken. */
export type TriedChannel = { readonly channel: Channel; readonly why: string | null };

/** None where no channel is configured. Fails as `openTarget`. */
export async function tryChannels(
  where: Where,
  words: { readonly title: string; readonly text: string },
): Promise<Result<readonly TriedChannel[]>> {
  const target = await openTarget(where);
  if (!target.ok) return target;
  const { config, root, clock, redact } = target.value;
  const at = clock.iso();
  const about = { kind: 'done', project: config.project.name, run: 'test', item: null, ...words } as const;
  const notice = { ...about, token: `test-${at}`, command: 'harness status', at };
  const tried: TriedChannel[] = [];
  for (const channel of channelsIn(config.notify)) {
    const why = await sendOn(channel, config.notify, notice, root);
    tried.push({ channel, why: why === null ? null : redact(why) });
  }
  return ok(tried);
}
