// Notices on their way: one file each, written before the notice is sent and again afterwards. After a crash in between it is sent again.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Io } from '../../host/io.ts';
import { CHANNELS, NOTICE_KINDS, type Channel, type Notice } from '../../model/notice.ts';

const recordSchema = z.object({
  schema: z.literal(1),
  notice: z.object({
    token: z.string(),
    kind: z.enum(NOTICE_KINDS),
    project: z.string(),
    run: z.string(),
    item: z.string().nullable(),
    title: z.string(),
    text: z.string(),
    command: z.string(),
    at: z.string(),
  }),
  /** Channels that it has not left on. */
  left: z.array(z.enum(CHANNELS)),
  tries: z.int(),
});
export type Sending = { readonly notice: Notice; readonly left: readonly Channel[]; readonly tries: number };

/** A notice that failed so often is not tried again. */
const MOST_TRIES = 5;
/** The newest of those that were sent are kept, so that none is sent again. */
const KEPT = 500;

export type Outbox = {
  /** False: a notice of this token was there before. Durable on return. */
  add(notice: Notice, channels: readonly Channel[]): boolean;
  /** Those that have not left on every channel, oldest first. */
  waiting(): readonly Sending[];
  /** What is left after a try. Durable on return. */
  tried(token: string, left: readonly Channel[]): void;
  /** Forgets the oldest of those that were sent. */
  tidy(): void;
};

export function openOutbox(dir: string, io: Io): Outbox {
  const fileOf = (token: string): string => join(dir, `${token}.json`);
  const write = ({ notice, left, tries }: Sending): void =>
    io.replace(fileOf(notice.token), `${JSON.stringify({ schema: 1, notice, left, tries })}\n`);
  const all = (): readonly Sending[] =>
    namesIn(dir)
      .flatMap((name) => read(join(dir, name)) ?? [])
      .sort((a, b) => (a.notice.at < b.notice.at ? -1 : 1));
  return {
    add(notice, channels) {
      if (read(fileOf(notice.token)) !== null) return false;
      write({ notice, left: channels, tries: 0 });
      return true;
    },
    waiting: () => all().filter(({ left, tries }) => left.length > 0 && tries < MOST_TRIES),
    tried(token, left) {
      const sending = read(fileOf(token));
      if (sending !== null) write({ ...sending, left, tries: sending.tries + 1 });
    },
    tidy() {
      const over = all().filter(({ left, tries }) => left.length === 0 || tries >= MOST_TRIES);
      for (const { notice } of over.slice(0, Math.max(0, over.length - KEPT))) io.remove(fileOf(notice.token));
    },
  };
}

function namesIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir).filter((name) => name.endsWith('.json'));
  } catch {
    return []; // nothing was ever sent
  }
}

/** null: there is none, or it cannot be read; a damaged record is written again. */
function read(file: string): Sending | null {
  try {
    const { notice, left, tries } = recordSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    return { notice, left, tries };
  } catch {
    return null;
  }
}
