// The screens of `attempts`.
import { branchOf, NO_ITEM, type AttemptSummary, type AttemptDiff } from '../../app/backlog/attempts.ts';
import { printable } from '../../host/formatter.ts';
import type { WorkInProgress } from '../../model/repository-view.ts';
import { ATTEMPTS_KEPT } from '../../model/retention.ts';
import type { Json } from '../../model/json.ts';
import type { Caller } from '../command.ts';
import { minute } from './gates.ts';
import { columns, oneLine, short } from './table.ts';

export const attemptJson = (kept: AttemptSummary): { readonly [key: string]: Json } => ({
  item: kept.item,
  number: kept.number,
  session: kept.session,
  why: kept.why,
  at: kept.at,
  ref: kept.ref,
  commit: kept.commit,
  base: kept.base,
  files: kept.files.map((file) => ({ ...file })),
  inner: kept.inner,
  ignored: kept.ignored,
});

export function showAttempts(kept: readonly AttemptSummary[], word: string | null, caller: Caller): readonly string[] {
  const { text } = caller.catalogue;
  const newest = kept.at(-1);
  if (newest === undefined)
    return [word === null ? text('attempts.none') : text('attempts.none-of', { item: word.replace(/^#/, '') })];
  const items = [...new Set(kept.map(({ item }) => item))];
  const lines = items.flatMap((item) => {
    const own = kept.filter((one) => one.item === item);
    const rows = own.map((one) => [
      `  ${one.number}`,
      text('attempts.session', { session: one.session }),
      minute(one.at),
      sizeOf(one, caller),
      caller.catalogue.outcome(one.why),
    ]);
    return [headOf(item, own[0]?.title ?? '', caller), ...columns(rows)];
  });
  const one = { item: newest.item ?? NO_ITEM, number: newest.number, ref: newest.ref, branch: branchOf(newest) };
  const rule = text('attempts.retention', { count: ATTEMPTS_KEPT.newest, days: ATTEMPTS_KEPT.days });
  return [...lines, '', `→ ${text('attempts.look', one)}`, `→ ${text('attempts.take', one)}`, rule];
}

export const wipJson = ({
  item,
  session,
  at,
  ref,
  commit,
  subject,
}: WorkInProgress): { readonly [key: string]: Json } => ({
  item,
  session,
  at,
  ref,
  commit,
  subject,
});

/** Work that is continued, below the attempts. */
export function showWips(wips: readonly WorkInProgress[], caller: Caller): readonly string[] {
  const { text } = caller.catalogue;
  return wips.flatMap(({ item, session, at, ref, subject }) => [
    '',
    `#${oneLine(item)}  ${text('attempts.in-progress')}`,
    `  ${text('attempts.session', { session })}  ${minute(at)}  ${oneLine(subject)}`,
    `→ ${text('attempts.take-over', { ref })}`,
  ]);
}

/** One attempt with its changed files; with `patch` its diff. */
export function showAttempt(kept: AttemptDiff, patch: boolean, caller: Caller): readonly string[] {
  const { text, outcome } = caller.catalogue;
  const head = `${headOf(kept.item, kept.title, caller)}  ${kept.number}`;
  const facts = [text('attempts.session', { session: kept.session }), minute(kept.at), sizeOf(kept, caller)];
  const about = `${facts.join('  ')}  ${outcome(kept.why)}`;
  if (patch) {
    const lines = kept.diff.trimEnd().split('\n');
    return [`${head}  ${about}`, '', ...lines.map((line) => diffLine(line, caller))];
  }
  const one = { item: kept.item ?? NO_ITEM, number: kept.number, ref: kept.ref, branch: branchOf(kept) };
  const count = (sign: string, lines: number | null): string => (lines === null ? 'bin' : `${sign}${lines}`);
  return [
    head,
    `  ${about}`,
    '',
    ...columns(kept.files.map((f) => [`  ${oneLine(f.path)}`, count('+', f.added), count('-', f.removed)])),
    ...left('attempts.inner', kept.inner, caller),
    ...left('attempts.ignored', kept.ignored, caller),
    '',
    `→ ${text('attempts.patch', one)}`,
    `→ ${text('attempts.take', one)}`,
  ];
}

function left(key: 'attempts.inner' | 'attempts.ignored', paths: readonly string[], caller: Caller): readonly string[] {
  return paths.length === 0 ? [] : ['', caller.catalogue.text(key), ...paths.map((path) => `  ${oneLine(path)}`)];
}

/** An agent wrote it: made printable for a terminal, unchanged for a file or pipe. */
function diffLine(line: string, caller: Caller): string {
  const said = caller.onScreen ? printable(line) : line;
  if (/^(diff|index|---|\+\+\+) /.test(line)) return caller.tint('bold', said);
  if (line.startsWith('+')) return caller.tint('green', said);
  return line.startsWith('-') ? caller.tint('red', said) : said;
}

const headOf = (item: string | null, title: string, caller: Caller): string =>
  caller.tint(
    'bold',
    item === null ? caller.catalogue.text('attempts.no-item') : `#${oneLine(item)} ${short(title)}`.trim(),
  );

function sizeOf({ files }: AttemptSummary, caller: Caller): string {
  const sum = (of: 'added' | 'removed'): number => files.reduce((n, file) => n + (file[of] ?? 0), 0);
  return caller.catalogue.text('attempts.size', { count: files.length, added: sum('added'), removed: sum('removed') });
}
