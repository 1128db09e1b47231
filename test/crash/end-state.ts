// What is left when all is done, as far as it must be the same whether anybody died on the way or not: everything but clocks,
// names of runs and ids of commits. And what must not be left at all.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parse } from 'yaml';
import { openGates } from '../../src/gates/store.ts';
import { systemClock } from '../../src/host/clock.ts';
import { sha256 } from '../../src/host/files.ts';
import { realIo } from '../../src/host/io.ts';
import { lockOwner } from '../../src/host/lock.ts';
import { findOrphans } from '../../src/host/process-tree.ts';
import type { FixtureProject } from './fixture-project.ts';

export type EndState = { readonly [name: string]: unknown };

export function endState(shop: FixtureProject): EndState {
  const [ids = '', branch, log = '', remote = '', dirty, attempts = '', bundles = '', wips = '', stashes = ''] =
    shop.gits(
      ['rev-parse', 'HEAD', 'HEAD^{tree}'],
      ['symbolic-ref', 'HEAD'],
      ['log', '--reverse', '--first-parent', '--format=%s%x1f%(trailers:only,unfold)%x1e'],
      ['ls-remote', 'origin'],
      ['status', '--porcelain'],
      ['for-each-ref', '--format=%(contents:subject)', 'refs/harness/attempts'],
      ['for-each-ref', '--format=%(refname)', 'refs/harness/evidence', 'refs/harness/pending'],
      ['for-each-ref', '--format=%(refname) %(subject)', 'refs/harness/wip', 'refs/harness/parked'],
      ['stash', 'list', '--format=%gd'],
    );
  const [head, tree] = ids.split('\n');
  return {
    tree,
    branch,
    commits: commitsIn(log),
    remote: remote.split('\t')[0] === head ? 'has all' : 'lags',
    dirty,
    features: shop.read('features.json'),
    progress: shop.read('claude-progress.txt'),
    state: without(json(shop, '.harness/session_state.json'), ['timestamp']),
    baseline: without(json(shop, '.harness/test_baseline.json'), ['timestamp', 'sha256']),
    keptBaseline: without(json(shop, '.git/harness/test_baseline.json'), ['timestamp', 'sha256']),
    sizes: json(shop, '.harness/file_sizes.json'),
    costs: costsOf(shop),
    sessions: sessionsOf(shop),
    loop: without(json(shop, '.git/harness/loop.json'), ['run', 'counts']),
    gates: gatesOf(shop),
    stashed: stashedIn(shop, stashes),
    attempts: attemptsIn(attempts),
    wips,
    pendingLog: namesIn(join(shop.privateDir, 'pending-log')),
    evidence: evidenceOf(shop, bundles),
    leftovers: leftoversOf(shop),
    lock: lockOwner(shop.privateDir),
    alive: findOrphans(`${shop.privateDir}#`).map(({ command }) => command),
  };
}

/** The same, for runs that may be of different minutes: dates of the log and of what was decided are masked, and whatever hashes them left out. */
export function anyDay(end: EndState, shop: FixtureProject): EndState {
  const listed = shop.git('ls-tree', '-r', 'HEAD').split('\n');
  const bare = (baseline: unknown): unknown => without(baseline as object | null, ['tree']);
  return {
    ...end,
    tree: listed.filter((line) => !/\t(?:claude-progress\.txt|features\.json)$/.test(line)),
    features: String(end['features']).replace(/"at": "[^"]+"/g, '"at": "some day"'),
    progress: String(end['progress']).replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, 'some day'),
    baseline: bare(end['baseline']),
    keptBaseline: bare(end['keptBaseline']),
  };
}

/** A number may be lost with a run; a question is not, and is asked once. */
export function gatesOf(shop: FixtureProject): unknown {
  const gates = openGates({ dir: join(shop.privateDir, 'gates'), io: realIo(), clock: systemClock }).list({
    open: false,
  });
  if (!gates.ok) return gates.failure;
  return gates.value.map(({ gate, closed }) => [gate.subject, gate.item, closed?.how, without(closed, ['at'])]);
}

/** Subject and trailers of each commit, oldest first; the run's name and the token are only looked at for being there. */
function commitsIn(log: string): unknown {
  return log
    .split('\x1e')
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map((one) => {
      const [subject = '', trailers = ''] = one.split('\x1f');
      const named = trailers
        .trim()
        .split('\n')
        .map((line) =>
          line
            .replace(/^(Harness-Run: r-).+$/, '$1…')
            .replace(/^(Harness-Evidence: sha256:)[0-9a-f]{64}$/, '$1…')
            .replace(/^(Harness-Token: )([0-9a-f]{20}|r-init-[0-9a-f]{6})$/, '$1…'),
        )
        .map((line) => line.replace(/^(Evidence: ).+$/, '$1…'));
      return [subject, ...named];
    });
}

/** A cut turn is kept as an attempt beside those that every run has: how many there are depends on the deaths. */
const attemptsIn = (subjects: string): readonly string[] =>
  subjects.split('\n').filter((why) => why !== '' && why !== 'interrupted');

/** One bundle for each landing, in order, each the one that its commit names; nothing is left of one that was being made. */
function evidenceOf(shop: FixtureProject, refs: string): unknown {
  if (refs === '') return [];
  const [trailers = '', bundles = ''] = shop.gits(
    ['log', '--format=%(trailers:key=Harness-Evidence,valueonly)'],
    ['rev-list', '--reverse', 'refs/harness/evidence/%chain'],
  );
  const named = trailers.split(/\n+/);
  const manifests = shop.gits(...bundles.split('\n').map((bundle) => ['show', `${bundle}:manifest.json`]));
  const chain = manifests.map((manifest) => {
    const text = `${manifest}\n`;
    const { item, session, previous } = JSON.parse(text) as { item: string; session: number; previous: object | null };
    return [item, session, previous !== null, named.includes(`sha256:${sha256(text)}`)];
  });
  return [refs.split('\n'), chain];
}

/** The oldest stash has everything; one that was interrupted may stand beside it. */
function stashedIn(shop: FixtureProject, stashes: string): unknown {
  const oldest = stashes.split('\n').at(-1);
  if (oldest === undefined || oldest === '') return null;
  return [shop.git('diff', `${oldest}^1`, oldest), shop.git('ls-tree', '-r', `${oldest}^3`)];
}

function costsOf(shop: FixtureProject): unknown {
  const text = shop.read('.git/harness/costs.yaml');
  if (text === null) return null;
  const costs = parse(text) as { current_session: object } | null;
  // What an agent wrote in its place is no crash of the judge: it is what is found.
  if (typeof costs !== 'object' || costs === null || typeof costs.current_session !== 'object') return text;
  return withoutMinutes({ ...costs, current_session: without(costs.current_session, ['started']) });
}

/** How long an agent worked differs from run to run. */
const withoutMinutes = (costs: object): unknown =>
  JSON.parse(JSON.stringify(costs, (name, value: unknown) => (/^(total_)?minutes$/.test(name) ? undefined : value)));

const CLOCKS = [
  'started_at',
  'ended_at',
  'duration_seconds',
  'run',
  'commit',
  'attempt',
  'evidence',
  'evidence_bundle',
];

function sessionsOf(shop: FixtureProject): unknown {
  const folder = join(shop.stateDir, 'sessions');
  return namesIn(folder).map((session) => [
    session,
    namesIn(join(folder, session)),
    without(json(shop, `.harness/sessions/${session}/session.json`), CLOCKS),
  ]);
}

/** Temporary files anywhere, locks of git, journals of procedures, private indexes, reports of checks. */
export function leftoversOf(shop: FixtureProject): readonly string[] {
  // What a killed push left in the remote is the remote's to clear away.
  const found = filesBelow(shop.top).filter(
    (path) =>
      !path.includes('/remote.git/objects/') &&
      /\.tmp$|\.lock$|\/index-|\.[0-9a-f-]{36}$|\/tmp_(?:obj|pack)|\/index\.stash\./.test(path) &&
      !/\/home\//.test(path),
  );
  const { privateDir } = shop;
  const journals = namesIn(join(privateDir, 'procedures')).map((name) => `procedures/${name}`);
  const reports = namesIn(join(privateDir, 'scratch')).map((name) => `scratch/${name}`);
  const waits = namesIn(join(privateDir, 'waits')).map((name) => `waits/${name}`);
  const init = existsSync(join(privateDir, 'init.jsonl')) ? ['init.jsonl'] : [];
  return [...found.map((path) => relative(shop.top, path)), ...journals, ...reports, ...waits, ...init].sort();
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

const namesIn = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder).sort() : []);

function json(shop: FixtureProject, path: string): object | null {
  const file = join(shop.root, path);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as object) : null;
}

const without = (value: object | null, names: readonly string[]): unknown =>
  value === null ? null : Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
