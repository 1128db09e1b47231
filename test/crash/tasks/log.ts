// What the log says, held against the list and the commits.
import { readLine, type LogLine } from '../../../src/playbooks/tasks/log.ts';
import type { FixtureProject } from '../fixture-project.ts';
import { LOG, tasksOf } from './list.ts';

/** What the list calls completed is in exactly one commit that accepts it, and nothing else is; the log says so once, and where. */
export function landedOf(shop: FixtureProject): readonly string[] {
  const format = '%H%x1f%(trailers:key=Harness-Item,valueonly)%x1f%(trailers:key=Harness-Provisional,valueonly)%x1e';
  const commits = shop
    .git('log', `--format=${format}`)
    .split('\x1e')
    .map((row) => row.split('\x1f').map((one) => one.trim()));
  const entries = entriesIn(shop);
  return tasksOf(shop).flatMap(({ id, status }) => {
    const accepted = commits
      .filter(([, item, provisional]) => item === id && provisional === '')
      .map(([hash = '']) => hash);
    const told = entries.filter(({ type, task }) => type === 'Completed' && task === id);
    const hashes = told.map(({ message }) => /\(commit ([0-9a-f]{7,})\)$/.exec(message)?.[1] ?? message);
    const isDone = status === 'completed';
    return [
      ...((isDone ? accepted.length === 1 : accepted.length <= 1)
        ? []
        : [`${id} is ${status} and has ${accepted.length} accepting commits`]),
      ...(told.length <= 1 ? [] : [`the log completes ${id} ${told.length} times`]),
      ...hashes
        .filter((hash) => !accepted.some((one) => one.startsWith(hash)))
        .map((hash) => `the log completes ${id} with ${hash}`),
    ];
  });
}

const rowsOf = (shop: FixtureProject): readonly string[] => (shop.read(LOG) ?? '').split('\n');
const entriesIn = (shop: FixtureProject): readonly LogLine[] => rowsOf(shop).flatMap((row) => readLine(row) ?? []);

export function logOf(shop: FixtureProject): readonly string[] {
  const rows = rowsOf(shop);
  const lines = rows.slice(0, -1);
  const entries = entriesIn(shop);
  const unread = lines.filter((row) => readLine(row) === null);
  const doubled = lines.filter((row, at) => lines.indexOf(row) !== at);
  const tasks = tasksOf(shop);
  const refs = shop.git('for-each-ref', '--format=%(refname)', 'refs/harness/attempts').split('\n');
  const kept = entries.flatMap(({ message }) => /\(kept as (\S+)\)$/.exec(message)?.[1] ?? []);
  const done = tasks.filter(({ status }) => status === 'completed');
  const count = (type: string, id: string): number =>
    entries.filter((one) => one.type === type && one.task === id).length;
  return [
    ...(rows.at(-1) === '' ? [] : [`the log ends with half a line: ${rows.at(-1)}`]),
    ...unread.map((row) => `a line of the log is none: ${row}`),
    ...doubled.map((row) => `a line stands twice in the log: ${row}`),
    ...kept.filter((ref) => !refs.includes(ref)).map((ref) => `the log names ${ref}, and it is not there`),
    ...done
      .filter(({ id }) => count('Completed', id) !== 1)
      .map(({ id }) => `the log completes ${id} ${count('Completed', id)} times`),
    ...tasks
      .filter(
        ({ id, error_log: log }) =>
          count('ERROR', id) <
          (log ?? []).filter((one) => !one.startsWith('[DEPENDENCY]') && !one.endsWith(' before')).length,
      )
      .map(({ id }) => `the log knows too few failures of ${id}`),
    ...tasks.flatMap(({ id, checkpoints }) => {
      const told = count('CHECKPOINT', id);
      return told === (checkpoints ?? []).length
        ? []
        : [`${id} has ${(checkpoints ?? []).length} steps, the log ${told}`];
    }),
    ...(entries.at(-1)?.type === 'LOCK' ? [] : ['the last session did not end']),
  ];
}
