// The event stream: what runs write to their event logs, to any number of readers, each from the place that it names. Reads files only.
import { existsSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { eventsFolder } from '../../host/run-events.ts';
import { eventsFrom, loggedRuns, type RunEvent } from '../look/run-events.ts';
import { watchWork, type WatchedPlaces } from '../look/watch-work.ts';

/** Where a reader is: everything of earlier runs and up to this byte of `run` was sent. Run '': before all. */
type Cursor = { readonly run: string; readonly end: number };

export type Streams = {
  /** `after`: the id of the last event that the reader has; null: it wants what comes from now on. */
  add(response: ServerResponse, after: string | null): void;
  close(): void;
};

const HEARTBEAT_MS = 15_000;
/** A reader that takes nothing is dropped; it comes back with the number that it has. */
const MOST_WAITING_BYTES = 4 * 1024 * 1024;
export const MOST_READERS = 32;

export function openStreams(places: WatchedPlaces): Streams {
  const { workspaceDir } = places;
  const readers = new Map<ServerResponse, Cursor>();

  const send = (reader: ServerResponse, text: string): void => {
    if (reader.writableLength > MOST_WAITING_BYTES) reader.destroy();
    else reader.write(text);
  };
  const pump = (): void => {
    for (const [reader, cursor] of readers)
      readers.set(
        reader,
        sendFrom(workspaceDir, cursor, (text) => send(reader, text)),
      );
  };
  const work = watchWork(places, {
    logged: pump,
    changed() {
      for (const reader of readers.keys()) send(reader, 'event: changed\ndata: {}\n\n');
    },
  });
  const heartbeat = setInterval(() => {
    for (const reader of readers.keys()) send(reader, ': \n\n');
  }, HEARTBEAT_MS);

  return {
    add(response, after) {
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
      const start = after === null ? null : placeAfter(workspaceDir, after);
      const now = start ?? endOfAll(workspaceDir);
      const last = start === null ? lastId(workspaceDir, now) : after;
      response.write(`retry: 1000\n${last === null ? '' : `id: ${last}\n`}event: hello\ndata: {}\n\n`);
      readers.set(response, now);
      response.on('close', () => readers.delete(response));
      pump();
    },
    close() {
      work.close();
      clearInterval(heartbeat);
      for (const reader of readers.keys()) reader.end();
    },
  };
}

const idOf = ({ run, seq }: RunEvent): string => `${run}:${seq}`;
const textOf = ({ endsAt: _, ...event }: RunEvent & { readonly endsAt: number }): string =>
  `id: ${idOf(event)}\nevent: run\ndata: ${JSON.stringify(event)}\n\n`;

/** Everything after the cursor, of this run and of later ones. */
function sendFrom(workspaceDir: string, from: Cursor, send: (text: string) => void): Cursor {
  const runs = loggedRuns(workspaceDir);
  let cursor = from;
  const next = from.run === '' ? runs : runs.slice(runs.indexOf(from.run));
  for (const run of next) {
    const { events, end } = eventsFrom(workspaceDir, run, run === cursor.run ? cursor.end : 0);
    if (events.length > 0) send(events.map(textOf).join(''));
    cursor = { run, end };
  }
  return cursor;
}

function endOfAll(workspaceDir: string): Cursor {
  const run = loggedRuns(workspaceDir).at(-1);
  return run === undefined ? { run: '', end: 0 } : { run, end: eventsFrom(workspaceDir, run, 0).end };
}

function lastId(workspaceDir: string, { run }: Cursor): string | null {
  const last = run === '' ? undefined : eventsFrom(workspaceDir, run, 0).events.at(-1);
  return last === undefined ? null : idOf(last);
}

/** Null: there is no such run any more; the reader gets what comes from now on, and reads the state again anyway. */
function placeAfter(workspaceDir: string, id: string): Cursor | null {
  const [, run = '', number = ''] = /^([\w-]{1,100}):(\d{1,12})$/.exec(id) ?? [];
  if (run === '' || !existsSync(join(eventsFolder(workspaceDir), `${run}.jsonl`))) return null;
  const known = eventsFrom(workspaceDir, run, 0).events.findLast(({ seq }) => seq <= Number(number));
  return { run, end: known?.endsAt ?? 0 };
}
