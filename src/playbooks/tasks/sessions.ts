// A session of the reference is a run of the harness: what the list and the log say at its two ends (reference 003, Session Start,
// JSON corruption, Session Statistics).
import type { RunBooks } from '../../engine/playbook.ts';
import { failure } from '../../model/failure.ts';
import type { World } from '../../model/world.ts';
import { logLine, readLine, type LogLine } from './log.ts';
import { isJson, readTasks } from './read.ts';
import { limitsOf, sessionsOf } from './schema.ts';
import { statsOf, statsText } from './stats.ts';
import { settled } from './select.ts';

const line = (at: string, session: number, type: LogLine['type'], message: string): string =>
  logLine({ at, session, type, message });

/** Reads the list, or brings it back from the copy made before the last write; counts the session; says who has the lock. */
export const begins: RunBooks['begins'] = async (world, { config, at, pid, stale }) => {
  const { backlog: file, progress } = config.paths;
  const text = await world.read(file);
  if (text === null) return refused(failure('backlog-missing', { file }, { at: { file } }), []);
  const isBroken = !isJson(text);
  const copy = isBroken ? await world.read(`${file}.bak`) : null;
  const whole = copy !== null && isJson(copy) ? copy : text;
  const read = readTasks(whole, file);
  if (!read.ok) {
    const message = `${file} corrupted and unrecoverable`;
    const n = await lastInLog(world, progress);
    const told = logLine({ at, session: n + 1, type: 'ERROR', category: 'ENV_SETUP', message });
    return refused(read.failure, isBroken ? [told] : []);
  }
  const n = sessionsOf(read.value) + 1;
  const { tasks, sessions } = limitsOf(read.value);
  const lines = [
    ...(isBroken ? [line(at, n, 'WARN', `${file} could not be parsed: restored from ${file}.bak`)] : []),
    line(at, n, 'LOCK', `acquired (pid=${pid})`),
    ...(stale === null ? [] : [line(at, n, 'WARN', `Removed stale lock from pid=${stale}`)]),
  ];
  if (n > sessions) {
    const stats = line(at, n, 'STATS', statsText(statsOf(settled(read.value.tasks))));
    return {
      failure: null,
      limit: 'max-sessions',
      edit: null,
      lines: [...lines, stats, line(at, n, 'LOCK', 'released')],
    };
  }
  const edit = { name: isBroken ? 'restore' : 'session', input: { backlog: file, count: n, at: seconds(at) } };
  return { failure: null, most: tasks, edit, lines };
};

/** The last lines of a session. */
export const ends: RunBooks['ends'] = async (world, { config, at }) => {
  const { backlog: file } = config.paths;
  const read = readTasks((await world.read(file)) ?? '', file);
  if (!read.ok) return { failure: null, edit: null, lines: [] };
  const n = sessionsOf(read.value);
  const stats = statsText(statsOf(settled(read.value.tasks)));
  const edit = { name: 'session', input: { backlog: file, count: n, at: seconds(at) } };
  return { failure: null, edit, lines: [line(at, n, 'STATS', stats), line(at, n, 'LOCK', 'released')] };
};

const refused = (why: ReturnType<typeof failure>, lines: readonly string[]) => ({ failure: why, edit: null, lines });

/** As the reference writes times. */
const seconds = (at: string): string => at.replace(/\.\d+(?=Z)/, '');

async function lastInLog(world: World, progress: string): Promise<number> {
  const lines = ((await world.read(progress)) ?? '').split('\n').slice(-200);
  return lines.reduce((most, one) => Math.max(most, readLine(one)?.session ?? 0), 0);
}
