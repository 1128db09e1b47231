// Describes recorded state for reviewers of a fixture, and lists its open tokens. Reads the formats of the recorded version by
// itself, because later versions of the program have other formats.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { filesBelow } from '../test/support/landed-relocate.ts';

type Line = {
  readonly t: string;
  readonly seq?: number;
  readonly key?: string;
  readonly base?: string;
  readonly step?: string;
  readonly at?: { readonly stage?: string };
  readonly action?: { readonly kind?: string; readonly [field: string]: unknown };
  readonly [field: string]: unknown;
};

/** Lines of a journal, without a torn end. */
function linesOf(path: string): readonly Line[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((row) => /^[0-9a-f]{8} .*[}\]]$/.test(row))
    .flatMap((row) => JSON.parse(row.slice(9)) as Line | readonly Line[]);
}

/** Intents since the last placement that have no outcome. */
function openIn(lines: readonly Line[]): readonly Line[] {
  const ended = new Set(lines.filter(({ t }) => ['outcome', 'recovered', 'drop'].includes(t)).map(({ seq }) => seq));
  const from = lines.findLastIndex(({ t }) => t === 'place');
  return lines.filter((line, n) => n > from && line.t === 'intent' && !ended.has(line.seq));
}
const baseOf = (lines: readonly Line[]): string => lines.findLast(({ t }) => t === 'place')?.base ?? '';

/** The file name that belongs to a token. */
const fileName = (token: string): string =>
  `${token
    .split('/')
    .slice(-3)
    .join('-')
    .replace(/[^\w.-]+/g, '_')
    .slice(-60)}-${createHash('sha256').update(token).digest('hex').slice(0, 12)}`;

export const privateDirsOf = (top: string): readonly string[] =>
  ['project/.git/harness', 'project/.harness-engine/harness', 'project/.harness-engine/git/harness']
    .map((path) => join(top, path))
    .filter((path) => existsSync(path));

/**
 * Everything that the state names by a hash and may look up again: tokens of open intents and of their steps, keys of gates,
 * and the account of the scripted agent.
 */
export function openTokens(top: string): readonly string[] {
  const tokens = privateDirsOf(top).flatMap((dir) => {
    const loop = linesOf(join(dir, 'loop.jsonl'));
    const items = openIn(loop).map(({ seq }) => `${baseOf(loop)}/${seq}`);
    const below = items.flatMap((item) => {
      const lines = linesOf(join(dir, 'items', `${fileName(item)}.jsonl`));
      return openIn(lines).map(({ seq }) => `${baseOf(lines)}/${seq}`);
    });
    const owners = [...items, ...below];
    const steps = owners.flatMap((owner) =>
      linesOf(join(dir, 'procedures', `${fileName(owner)}.jsonl`)).flatMap(({ step }) =>
        step === undefined ? [] : [`${owner}/${step}`],
      ),
    );
    return [...owners, ...steps, ...pathsIn(dir, 'gates').flatMap((path) => keyOf(join(dir, path)))];
  });
  return [...new Set([...tokens, JSON.stringify([null, join(top, 'scenario.json'), []])])];
}

/** The key of a gate: the step that asks, then the token of its machine. */
function keyOf(path: string): readonly string[] {
  const { key } = JSON.parse(readFileSync(path, 'utf8')) as { readonly key?: string };
  return key === undefined ? [] : [key];
}

export function summaryOf(top: string): string {
  const parts: string[] = [];
  const root = join(top, 'project');
  for (const dir of privateDirsOf(top)) {
    const gitDir = dir.replace(/\/harness$/, dir.endsWith('.harness-engine/harness') ? '/git' : '');
    const git = (...args: string[]): string =>
      execFileSync('git', ['--git-dir', gitDir, ...args], { encoding: 'utf8' }).trimEnd();
    parts.push(
      section(
        'History, newest first',
        git('log', '--format=%s%x1f%(trailers:key=Harness-Provisional,key=Harness-Item,separator=%x2C )').replaceAll(
          '\x1f',
          '   ',
        ),
      ),
    );
    parts.push(section('Refs', git('for-each-ref', '--format=%(refname)')));
    const journals = ['loop.jsonl', ...pathsIn(dir, 'items'), ...pathsIn(dir, 'procedures')];
    parts.push(
      section('Journals', journals.map((path) => `${path}\n${describe(linesOf(join(dir, path)))}`).join('\n')),
    );
    for (const file of ['loop.json', 'lock.json', 'handoff.json', 'quarantine.json'])
      if (existsSync(join(dir, file))) parts.push(section(file, readFileSync(join(dir, file), 'utf8').trimEnd()));
    for (const folder of ['gates', 'inbox', 'waits'])
      for (const path of pathsIn(dir, folder).filter((one) => !/gates\/(?:keys\/|last\.json)/.test(one)))
        parts.push(section(path, readFileSync(join(dir, path), 'utf8').trimEnd()));
    parts.push(
      section(
        'Private folder',
        filesBelow(dir)
          .map((path) => relative(dir, path))
          .filter((path) => !/^(?:evidence|git|items|gates|inbox|waits)\//.test(path))
          .sort()
          .join('\n'),
      ),
    );
  }
  for (const file of [
    '.harness/session_state.json',
    '.harness/state.json',
    'harness-tasks.json',
    '.harness/tasks/harness-tasks.json',
    '.harness/costs.yaml',
  ])
    if (existsSync(join(root, file))) parts.push(section(file, readFileSync(join(root, file), 'utf8').trimEnd()));
  if (existsSync(join(root, '.git')))
    parts.push(
      section(
        'Work tree',
        execFileSync('git', ['status', '--porcelain', '--untracked-files=all'], {
          cwd: root,
          encoding: 'utf8',
        }).trimEnd() || 'clean',
      ),
    );
  return `${parts.join('\n\n')}\n`;
}
const section = (title: string, text: string): string => `== ${title}\n${text}`;
const pathsIn = (dir: string, folder: string): readonly string[] =>
  existsSync(join(dir, folder))
    ? filesBelow(join(dir, folder))
        .map((path) => relative(dir, path))
        .sort()
    : [];

function describe(lines: readonly Line[]): string {
  const place = lines.findLast(({ t }) => t === 'place');
  const stage = lines.findLast(({ at }) => at !== undefined)?.at?.stage;
  const ended = new Set(lines.filter(({ t }) => t === 'done').map(({ step }) => step));
  const open = [
    ...openIn(lines).map(({ seq, key, action }) => `${seq} ${key} (${action?.kind ?? ''})`),
    ...lines
      .filter(({ t, step }) => t === 'begin' && !ended.has(step))
      .map(({ step, action }) => `${step} (${action?.kind ?? ''})`),
  ];
  return [
    ...(place === undefined
      ? []
      : [
          `  machine ${String(place['machine'])} ${String(place['version'])}, epoch ${String(place['epoch'])}, stage ${stage ?? ''}`,
        ]),
    `  ${lines.length} lines; open: ${open.join(', ') || 'none'}`,
  ].join('\n');
}
