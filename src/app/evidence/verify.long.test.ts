// A chain of evidence in a real repository: a change of any byte is detected and the broken link is reported.
import { existsSync, readFileSync, writeFileSync, chmodSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stage, valueOf, type Stage } from '../../../test/stage/repository.ts';
import { sha256 } from '../../host/files.ts';
import { CHAIN_END, evidenceRef, settleBundle, writeBundle } from '../../repos/evidence.ts';
import { exactDiff } from '../../repos/history.ts';
import { MANIFEST, trailerOf, writeManifest, type Manifest } from '../../verify/manifest.ts';
import type { Source } from './source.ts';
import { verifyEvidence } from './verify.ts';

const CRLF = 'hello\r\n';
const OUTPUT = 'ok 1 – läuft\n\u{fffd}\n1..1\n';
const keptChecks = (session: number, tree: string): string =>
  JSON.stringify({
    schema: 1,
    purpose: 'feature',
    session,
    tree,
    sandbox: 'none',
    checks: [
      {
        name: 'feature',
        command: 'sh test',
        runner: 'tap',
        weight: 'must',
        against: null,
        perTest: 'read',
        exit: { code: 0 },
        stdout: { file: '1.stdout.txt', sha256: sha256(OUTPUT) },
        stderr: { file: '1.stderr.txt', sha256: sha256('') },
        report: null,
      },
    ],
  });

const NO_USAGE = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, costUsd: null, source: 'none' };

const LIST = 'features.json';
type Listed = { readonly id: number; readonly description: string; readonly passes: boolean };
const listOf = (done: readonly number[], first = 'the shop opens'): string => {
  const feature = (id: number): Listed => ({
    id,
    description: id === 1 ? first : `part ${id}`,
    passes: done.includes(id),
  });
  return `${JSON.stringify({ features: [1, 2, 3, 4].map(feature) }, null, 2)}\n`;
};
const entryOf = (text: string, item: string): Listed | undefined =>
  (JSON.parse(text) as { features: Listed[] }).features.find(({ id }) => String(id) === item);

/** What a landing does differently from an honest one. */
type Lie = {
  /** An older version of the program made the bundle. */
  readonly schema?: 1;
  /** The list as it lands. */
  readonly list?: string;
  /** The claim that is stored, where it is not the one of the list. */
  readonly claim?: object;
  /** Changes the tree after the checks. */
  readonly rebuild?: () => void;
  /** The progress log. */
  readonly log?: string;
  /** The bundle holds the checked tree, as if git had converted files. */
  readonly keepsChecked?: boolean;
};

/** Lands an item as the harness does: the bundle, the commit that names it, the refs. */
async function land(
  s: Stage,
  item: string,
  session: number,
  before: { hash: string; item: string } | null,
  lie: Lie = {},
): Promise<string> {
  const parent = s.sh('rev-parse', 'HEAD');
  const open = s.read(LIST);
  s.write(`src/${item}.txt`, `${item}\n`);
  s.sh('add', '-A');
  const verified = s.sh('write-tree');
  lie.rebuild?.();
  s.write(LIST, lie.list ?? listOf([...doneIn(open), Number(item)]));
  s.sh('add', '-A');
  const tree = s.sh('write-tree');
  const entryAt = (at: string) => {
    const [mode = '', , id = ''] = s.sh('ls-tree', at, '--', LIST).split(/\s/);
    return { mode, id };
  };
  const diff = valueOf(await exactDiff(s.git, parent, tree));
  const claim = lie.claim ?? { before: entryOf(open, item), after: entryOf(s.read(LIST), item) };
  const contents: readonly (readonly [string, string])[] = [
    ['claim.json', `${JSON.stringify({ item, ...claim })}\n`],
    ['diff.patch', diff],
    ['checks/c/checks.json', keptChecks(session, verified)],
    ['checks/c/1.stdout.txt', OUTPUT],
    ['checks/c/1.stderr.txt', ''],
  ];
  const landing = { tree, parent, verified, own: [LIST], checkpoint: { ref: 'refs/x', commit: parent, tree } };
  const about = {
    kind: 'harness.evidence' as const,
    harness: '0',
    item,
    title: `item ${item}`,
    session,
    run: 'r-1',
    startedAt: '2025-01-16T14:30:00.000Z',
    endedAt: '2025-01-16T14:31:00.000Z',
    agent: {
      role: 'coding',
      provider: 'scripted',
      model: null,
      attempt: 1,
      turns: 1,
      toolCalls: 0,
      usage: NO_USAGE,
      prompts: [],
    },
    verdict: {
      holds: true,
      folder: 'c',
      tests: null,
      problems: [],
      warnings: [],
      regressions: [],
      flaky: [],
      tampering: [],
      checks: [{ name: 'feature', command: 'sh test', passed: true, exit: 0, ms: 1, tests: null }],
      sandbox: 'none',
    },
    decisions: [],
    mismatches: [],
    diff: { from: s.sh('rev-parse', `${parent}^{tree}`), to: tree, sha256: sha256(diff) },
    files: contents.map(([path, text]) => ({
      path,
      sha256: sha256(text),
      bytes: Buffer.byteLength(text),
      masked: false,
    })),
    leftOut: [],
    previous: before === null ? null : { item: before.item, session: session - 1, sha256: before.hash },
    journal: null,
  };
  const manifest: Manifest =
    lie.schema === 1
      ? { ...about, schema: 1, landing }
      : {
          ...about,
          schema: 2,
          claim: 'flip',
          proof: { strength: 'tests', held: ['feature'], notPossible: [] },
          landing: {
            ...landing,
            list: { path: LIST, format: 'features' },
            log: lie.log ?? null,
            changes: [{ path: LIST, verified: entryAt(verified), landed: entryAt(tree) }],
            keepsChecked: lie.keepsChecked === true,
          },
        };
  const { text, sha256: hash } = writeManifest(manifest);
  const previous = before === null ? null : s.sh('rev-parse', CHAIN_END);
  const files = [[MANIFEST, text] as const, ...contents].map(([path, content]) => ({ path, text: content }));
  const checked = lie.keepsChecked === true ? { tree: { path: 'tree', id: verified } } : {};
  valueOf(
    await writeBundle(s.git, { mark: 'm', message: 'evidence\n', at: manifest.endedAt, previous, files, ...checked }),
  );
  const trailers = `Harness-Item: ${item}\nHarness-Run: r-1\nHarness-Session: ${session}\nHarness-Evidence: ${trailerOf(hash)}`;
  s.sh('commit', '-q', '-m', `feat: ${item}\n\n${trailers}`);
  valueOf(await settleBundle(s.git, { mark: 'm', item, previous }));
  return hash;
}

const doneIn = (text: string): readonly number[] =>
  (JSON.parse(text) as { features: Listed[] }).features.filter(({ passes }) => passes).map(({ id }) => id);
const sourceOf = (s: Stage): Source => ({ git: s.git, privateDir: null, file: null, close: () => undefined });
const shop = (): Stage => stage({ 'README.md': 'hello\n', [LIST]: listOf([]) });

async function chained(): Promise<{ readonly s: Stage; readonly source: Source; readonly items: readonly string[] }> {
  const s = shop();
  const items = ['1', '2', '3'];
  let before: { hash: string; item: string } | null = null;
  for (const [n, item] of items.entries()) before = { hash: await land(s, item, n + 1, before), item };
  return { s, items, source: sourceOf(s) };
}

const piped = (s: Stage, args: readonly string[], input: Uint8Array | string): string =>
  execFileSync('git', args, { cwd: s.root, env: s.env, input, encoding: 'utf8' }).trim();

/** The chain rewritten with one file of one bundle changed, and everything above it rebuilt on top. */
function rewritten(s: Stage, items: readonly string[], at: number, path: string, bytes: Uint8Array): void {
  let parent: string | null = null;
  for (const [n, item] of items.entries()) {
    const own: string = s.sh('rev-parse', evidenceRef(item));
    const files = s.sh('ls-tree', '-r', '-z', own).split('\0').filter(Boolean);
    const index = files.map((line) => {
      if (n !== at || !line.endsWith(`\t${path}`)) return line;
      return line.replace(/[0-9a-f]{40}/, piped(s, ['hash-object', '-w', '--stdin'], bytes));
    });
    const env = { ...s.env, GIT_INDEX_FILE: join(s.root, '.git', 'forged') };
    const git = (args: readonly string[], input = ''): string =>
      execFileSync('git', args, { cwd: s.root, env, input, encoding: 'utf8' }).trim();
    git(['read-tree', '--empty']);
    git(['update-index', '-z', '--index-info'], index.map((line) => `${line}\0`).join(''));
    const commit: string = git([
      'commit-tree',
      git(['write-tree']),
      ...(parent === null ? [] : ['-p', parent]),
      '-m',
      'x',
    ]);
    s.sh('update-ref', evidenceRef(item), commit);
    s.sh('update-ref', CHAIN_END, commit);
    parent = commit;
  }
}

/** Replaces the contents of an object's file, as a disk error or a forgery would. */
function damaged(s: Stage, id: string, at: number, by: number): () => void {
  const file = join(s.root, '.git/objects', id.slice(0, 2), id.slice(2));
  if (!existsSync(file)) throw new Error(`${id} is not a loose object`);
  const before = readFileSync(file);
  const bytes = inflateSync(before);
  const start = bytes.indexOf(0) + 1;
  const where = start + (at % (bytes.length - start));
  bytes[where] = (bytes[where] ?? 0) ^ by;
  chmodSync(file, 0o644);
  writeFileSync(file, deflateSync(bytes));
  return () => writeFileSync(file, before);
}

const INSIDE_MANIFEST = ['manifest-unreadable', 'landing-hash-differs', 'landing-missing'];

describe('a chain of evidence', () => {
  test('is valid as created, as a whole and for each item', async () => {
    const { source, items } = await chained();
    const all = valueOf(await verifyEvidence(source, null));
    expect([all.broken, all.bundles.map(({ checked }) => checked.manifest.item)]).toEqual([null, items]);
    for (const item of items) {
      const one = valueOf(await verifyEvidence(source, item));
      expect([one.broken, one.bundles.map(({ checked }) => checked.manifest.item)]).toEqual([null, [item]]);
    }
  });

  test('is refused after a change of any byte, with the item and the file', async () => {
    const { s, source, items } = await chained();
    const refs = [CHAIN_END, ...items.map(evidenceRef)].map((ref) => [ref, s.sh('rev-parse', ref)] as const);
    const files = items.map((item) =>
      s
        .sh('ls-tree', '-r', '-l', '-z', evidenceRef(item))
        .split('\0')
        .filter((line) => line !== '' && !/ +0\t/.test(line))
        .map((line) => ({ id: line.split(' ')[2] ?? '', path: line.slice(line.indexOf('\t') + 1) })),
    );
    const flips = fc.tuple(fc.nat(), fc.nat(), fc.nat(), fc.integer({ min: 1, max: 255 }), fc.boolean());
    await fc.assert(
      fc.asyncProperty(flips, async ([which, file, where, by, inPlace]) => {
        const n = which % items.length;
        const { id, path } = files[n]?.[file % (files[n]?.length ?? 1)] ?? { id: '', path: '' };
        const shared = files.findIndex((of) => of.some((one) => one.id === id));
        let undo = (): void => undefined;
        if (inPlace) undo = damaged(s, id, where, by);
        else {
          const bytes = execFileSync('git', ['cat-file', 'blob', id], { cwd: s.root, env: s.env });
          const at = where % bytes.length;
          bytes[at] = (bytes[at] ?? 0) ^ by;
          rewritten(s, items, n, path, bytes);
        }
        const { broken } = valueOf(await verifyEvidence(source, null));
        undo();
        for (const [ref, commit] of refs) s.sh('update-ref', ref, commit);
        // Equal contents in two bundles are one object: the first bundle is reported.
        const item = items[inPlace ? shared : n];
        expect(broken).toMatchObject({ file: path });
        if (path === MANIFEST) expect(INSIDE_MANIFEST).toContain(broken?.code);
        else expect(broken).toMatchObject({ code: 'file-changed', item });
      }),
      { numRuns: 20 },
    );
    expect(valueOf(await verifyEvidence(source, null)).broken).toBeNull();
  });

  test('with a bundle copied from an earlier session is refused, even with recomputed hashes', async () => {
    const { s, source } = await chained();
    const before = { hash: sha256(`${s.sh('show', `${CHAIN_END}:${MANIFEST}`)}\n`), item: '3' };
    await land(s, '4', 3, before); // the session of the bundle before it
    expect(valueOf(await verifyEvidence(source, null)).broken).toMatchObject({ code: 'session-twice', item: '4' });
  });

  test('without any bundle, or without the one of the item, is not valid', async () => {
    const s = stage();
    const source = sourceOf(s);
    expect(await verifyEvidence(source, null)).toMatchObject({ ok: false, failure: { reason: 'evidence-not-here' } });
    const { source: full } = await chained();
    expect(await verifyEvidence(full, '9')).toMatchObject({ ok: false, failure: { reason: 'evidence-unknown' } });
  });
});

describe('the landed work', () => {
  const refused: readonly (readonly [what: string, lie: (s: Stage) => Lie, broken: object])[] = [
    [
      'whose item was done before',
      (s) => (s.write(LIST, listOf([1])), s.commit('done by hand'), { list: listOf([1]) }),
      { code: 'claim-not-made', item: '1', file: LIST, found: 'done → done' },
    ],
    ['whose item stays open', () => ({ list: listOf([]) }), { code: 'claim-not-made', found: 'open → open' }],
    ['that also marks another item as done', () => ({ list: listOf([1, 4]) }), { code: 'list-differs', file: LIST }],
    [
      'that also changes what is beside the items',
      () => ({ list: listOf([1]).replace('{', '{"instructions": "be quick",') }),
      { code: 'list-differs', file: LIST },
    ],
    [
      'whose stored claim is not the one of the list',
      () => ({ claim: { before: { id: 1, passes: true }, after: { id: 1, passes: true } } }),
      { code: 'claim-differs', file: 'claim.json' },
    ],
    [
      'whose tree was rebuilt after the checks',
      (s) => ({ rebuild: () => s.write('src/1.txt', 'something else\n') }),
      { code: 'checked-tree-differs', file: MANIFEST },
    ],
    [
      'that rewrites the progress log',
      (s) => (s.write('README.md', 'nothing to see\n'), { log: 'README.md' }),
      { code: 'log-rewritten', file: 'README.md' },
    ],
    [
      'whose tree was rebuilt after the checks, said to be a conversion by git',
      (s) => ({ rebuild: () => s.write('src/1.txt', 'something else\n'), keepsChecked: true }),
      { code: 'checked-tree-differs', file: 'src/1.txt' },
    ],
    [
      'that got a file after the checks',
      (s) => ({ rebuild: () => s.write('src/deep/er.txt', 'more\n') }),
      { code: 'checked-tree-differs', file: MANIFEST },
    ],
  ];
  test.each(refused)('%s is refused, and was not by an older proof', async (_, lie, broken) => {
    const s = shop();
    await land(s, '1', 1, null, lie(s));
    expect(valueOf(await verifyEvidence(sourceOf(s), '1')).broken).toMatchObject(broken);
    const older = shop();
    await land(older, '1', 1, null, { ...lie(older), schema: 1 });
    expect(valueOf(await verifyEvidence(sourceOf(older), '1'))).toMatchObject({
      broken: null,
      notLooked: ['older-proof', 'journal-elsewhere'],
    });
  });

  test.each<readonly [what: string, lands: (s: Stage) => void, notLooked: readonly string[]]>([
    ['line ends', (s) => s.write('README.md', 'hello\n'), ['journal-elsewhere']],
    [
      'the pointer of a large file',
      (s) => s.write('README.md', `version https://git-lfs.github.com/spec/v1\noid sha256:${sha256(CRLF)}\nsize 7\n`),
      ['journal-elsewhere'],
    ],
    [
      'a filter of the user',
      (s) => {
        s.write('.gitattributes', '*.md filter=mine\n');
        s.sh('add', '.gitattributes');
        s.write('README.md', 'encrypted\n');
      },
      ['converted-files', 'journal-elsewhere'],
    ],
  ])('that git stores in another form (%s) is compared as far as it can be', async (what, lands, notLooked) => {
    const s = shop();
    if (what.startsWith('a filter')) {
      s.write('.gitattributes', '*.md filter=mine\n');
      s.commit('attributes');
    }
    s.write('README.md', CRLF);
    await land(s, '1', 1, null, { rebuild: () => lands(s), keepsChecked: true });
    expect(valueOf(await verifyEvidence(sourceOf(s), '1'))).toMatchObject({ broken: null, notLooked });
  });

  test('of an older proof may come before a newer one, never after it', async () => {
    const s = shop();
    const first = await land(s, '1', 1, null, { schema: 1 });
    const second = await land(s, '2', 2, { hash: first, item: '1' });
    expect(valueOf(await verifyEvidence(sourceOf(s), null))).toMatchObject({ broken: null, bundles: [{}, {}] });
    await land(s, '3', 3, { hash: second, item: '2' }, { schema: 1 });
    expect(valueOf(await verifyEvidence(sourceOf(s), null)).broken).toMatchObject({ code: 'proof-older', item: '3' });
  });
});

describe('in a clone', () => {
  async function cloned(): Promise<{
    readonly s: Stage;
    readonly source: Source;
    readonly commits: readonly string[];
  }> {
    const { s } = await chained();
    const commits = s.sh('log', '--reverse', '--format=%H', '-3').split('\n');
    const clone = stage();
    clone.sh('fetch', '-q', s.root, 'main:refs/remotes/origin/main', 'refs/harness/evidence/*:refs/harness/evidence/*');
    clone.sh('reset', '-q', '--hard', 'refs/remotes/origin/main');
    return { s: clone, source: sourceOf(clone), commits };
  }

  test('the landings hold while its branch has them', async () => {
    const { source } = await cloned();
    expect(valueOf(await verifyEvidence(source, null))).toMatchObject({ broken: null, outside: [] });
  });

  test.each<readonly [what: string, change: (s: Stage) => void, code: string]>([
    [
      'amended',
      (s) => (s.write('src/3.txt', 'other\n'), s.sh('commit', '-aq', '--amend', '--no-edit')),
      'landing-elsewhere',
    ],
    ['reset', (s) => s.sh('reset', '-q', '--hard', 'HEAD~1'), 'landing-elsewhere'],
  ])('whose branch was %s, the landing that it lost is named', async (_, change, code) => {
    const { s, source, commits } = await cloned();
    change(s);
    const found = valueOf(await verifyEvidence(source, null));
    expect(found.outside).toEqual([{ item: '3', session: 3, commit: commits[2] }]);
    expect(found.broken).toMatchObject({ code, item: '3' });
  });

  test('whose branch was rebased, every landing above the change is named', async () => {
    const { s, source } = await cloned();
    s.sh('checkout', '-q', '-B', 'main', 'HEAD~3');
    s.write('first.txt', 'slipped in\n');
    s.commit('slipped in');
    s.sh('cherry-pick', 'HEAD..refs/remotes/origin/main');
    s.sh('update-ref', '-d', 'refs/remotes/origin/main');
    const found = valueOf(await verifyEvidence(source, null));
    expect(found.outside.map(({ item, commit }) => [item, commit])).toEqual([
      ['1', null],
      ['2', null],
      ['3', null],
    ]);
    expect(found.broken).toMatchObject({ code: 'landing-tree-differs', item: '1' });
  });
});
