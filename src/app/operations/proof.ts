// What a result rests on: the evidence bundle of an item, the checks of a folder of evidence, and the difference that was checked.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { wholeEnvironment } from '../../host/environment.ts';
import { readRegular, tailOf } from '../../host/files.ts';
import { pointerOf } from '../../loop/sessions.ts';
import { failure } from '../../model/failure.ts';
import { jsonSchema, toJson } from '../../model/json.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { problemSchema } from '../../model/verdict.ts';
import { createGit, type Git } from '../../repos/git.ts';
import { resolveCommit } from '../../repos/head.ts';
import { diffStat, diffText } from '../../repos/history.ts';
import { itemsOf, readChain, type Chain } from '../evidence/chain.ts';
import { reviewsIn } from '../evidence/reviews.ts';
import { openSource, type Source } from '../evidence/source.ts';
import { refOf, type Break, type Checked } from '../evidence/verify.ts';
import { findGate } from '../look/questions.ts';
import { readSessionRecord } from '../look/session-records.ts';
import { openProjectView, type ProjectView } from '../open/project-view.ts';
import { operation, type Answered } from './operation.ts';

const list = <S extends z.ZodType>(shape: S) => z.array(shape).readonly();

export const bundleShape = z.object({
  item: z.string(),
  ref: z.string(),
  bundle: z.string(),
  sha256: z.string(),
  landing: z.string().nullable(),
  manifest: jsonSchema.describe('docs/evidence.md has its format'),
  reviews: list(jsonSchema).describe('what the roles answered that judged it: docs/evidence.md'),
});
export const brokenShape = z
  .object({ code: z.string(), item: z.string(), file: z.string(), expected: z.string(), found: z.string() })
  .nullable();

export const bundleAnswer = (checked: Checked, landing: string | null = null): z.output<typeof bundleShape> => ({
  item: checked.manifest.item,
  ref: refOf(checked.manifest.item),
  bundle: checked.bundle.commit,
  sha256: checked.sha256,
  landing,
  manifest: toJson(checked.manifest),
  reviews: reviewsIn(checked).map(toJson),
});

export const brokenAnswer = (broken: Break | null): z.output<typeof brokenShape> =>
  broken === null
    ? null
    : { code: broken.code, item: broken.item, file: broken.file, expected: broken.expected, found: broken.found };

const evidenceShape = z.object({ bundles: list(bundleShape), broken: brokenShape, items: list(z.string()) });

export const evidence = operation({
  name: 'evidence',
  kind: 'read',
  about: 'The evidence bundle of a landed item, or the chain of all of them.',
  command: 'evidence show ITEM',
  input: z.object({ item: z.string().nullable().default(null).describe('null: all of them') }),
  output: evidenceShape,
  async run(asker, { item }) {
    const source = await openSource({ repo: asker.repo, from: null });
    if (!source.ok) return source;
    try {
      return await shownEvidence(source.value, item);
    } finally {
      source.value.close();
    }
  },
});

/** Of the repository, or of an exported file. */
export async function shownEvidence(
  source: Source,
  item: string | null,
): Promise<Result<Answered<z.output<typeof evidenceShape>, Chain>>> {
  const chain = await readChain(source, item?.replace(/^#/, '') ?? null);
  if (!chain.ok) return chain;
  const { bundles, broken, refs } = chain.value;
  const one = item === null ? undefined : bundles.at(-1);
  const shown = one === undefined ? bundles : [one];
  const answer = {
    bundles: shown.map((bundle) => bundleAnswer(bundle)),
    broken: brokenAnswer(broken),
    items: [...itemsOf(refs)],
  };
  return ok({ answer, detail: chain.value });
}

const checksFile = z.looseObject({
  purpose: z.string(),
  session: z.number().nullable().catch(null),
  tree: z.string(),
  sandbox: z.string().nullable().catch(null),
  checks: z.array(
    z.looseObject({
      name: z.string(),
      command: z.string(),
      weight: z.string(),
      exit: z.looseObject({ code: z.number().nullable(), ended: z.string().nullable(), ms: z.number() }),
      tests: z
        .looseObject({ total: z.number(), passed: z.number(), failed: z.number(), skipped: z.number() })
        .nullable(),
      problems: z.array(problemSchema).catch([]),
      stdout: z.looseObject({ file: z.string() }),
      stderr: z.looseObject({ file: z.string() }),
    }),
  ),
});

/** Enough for the end of a failed run of tests. */
const TAIL_BYTES = 12_000;
const MOST_BYTES = 4 * 1024 * 1024;
const FOLDER = /^[\w-][\w.-]*$/;

function readChecks({ privateDir }: ProjectView, folder: string): z.output<typeof checksFile> | null {
  if (!FOLDER.test(folder)) return null;
  const file = readRegular(join(privateDir, 'evidence', folder, 'checks.json'), MOST_BYTES);
  if (file.kind !== 'file') return null;
  try {
    return checksFile.safeParse(JSON.parse(file.bytes.toString('utf8'))).data ?? null;
  } catch {
    return null;
  }
}

export const checks = operation({
  name: 'checks',
  kind: 'read',
  about: 'What the harness ran in one folder of evidence: commands, results, tests, and the end of their output.',
  command: null,
  input: z.object({ folder: z.string().describe('its name in the evidence folder') }),
  output: z.object({
    purpose: z.string(),
    session: z.number().nullable(),
    tree: z.string(),
    sandbox: z.string().nullable(),
    checks: list(
      z.object({
        name: z.string(),
        command: z.string(),
        weight: z.string(),
        exit: z.number().nullable(),
        ended: z.string().nullable().describe('why the harness ended it; null: it exited by itself'),
        ms: z.number(),
        tests: z.object({ total: z.number(), passed: z.number(), failed: z.number(), skipped: z.number() }).nullable(),
        problems: list(z.string()),
        output: z.string().describe('the end of what it printed'),
      }),
    ),
  }),
  async run(asker, { folder }) {
    const view = await openProjectView(asker);
    if (!view.ok) return view;
    const read = readChecks(view.value, folder);
    if (read === null) return err(failure('evidence-unknown', { item: folder, known: '' }));
    const outputOf = (name: string): string =>
      FOLDER.test(name) ? tailOf(join(view.value.privateDir, 'evidence', folder, name), TAIL_BYTES).trim() : '';
    const answer = {
      purpose: read.purpose,
      session: read.session,
      tree: read.tree,
      sandbox: read.sandbox,
      checks: read.checks.map((check) => ({
        name: check.name,
        command: check.command,
        weight: check.weight,
        exit: check.exit.code,
        ended: check.exit.ended,
        ms: check.exit.ms,
        tests: check.tests && {
          total: check.tests.total,
          passed: check.tests.passed,
          failed: check.tests.failed,
          skipped: check.tests.skipped,
        },
        problems: check.problems.map((problem) => asker.catalogue.problem(problem)),
        output: [outputOf(check.stdout.file), outputOf(check.stderr.file)].filter((part) => part !== '').join('\n'),
      })),
    };
    return ok({ answer, detail: null });
  },
});

/** A page that shows more helps no one. */
const MOST_DIFF = 512 * 1024;

export const diff = operation({
  name: 'diff',
  kind: 'read',
  about: 'What a commit changed, or a session, or what a question is about.',
  command: null,
  input: z.object({
    commit: z.string().nullable().default(null),
    session: z.number().int().nullable().default(null),
    gate: z.string().nullable().default(null),
  }),
  output: z.object({
    from: z.string(),
    to: z.string(),
    files: list(z.object({ path: z.string(), added: z.number().nullable(), removed: z.number().nullable() })),
    patch: z.string(),
    is_cut: z.boolean(),
  }),
  async run(asker, input) {
    const view = await openProjectView(asker);
    if (!view.ok) return view;
    const git = createGit({
      root: view.value.root,
      env: wholeEnvironment(),
      token: `${view.value.privateDir}@reader-${process.pid}`,
    });
    const range = await rangeOf(view.value, git, input);
    if (!range.ok) return range;
    const { from, to } = range.value;
    const files = await diffStat(git, from, to);
    if (!files.ok) return files;
    const patch = await diffText(git, from, to);
    if (!patch.ok) return patch;
    const answer = {
      from,
      to,
      files: files.value,
      patch: patch.value.slice(0, MOST_DIFF),
      is_cut: patch.value.length > MOST_DIFF,
    };
    return ok({ answer, detail: null });
  },
});

type Range = { readonly from: string; readonly to: string };
const unknown = (what: string): Result<Range> => err(failure('diff-unknown', { what }));

async function rangeOf(
  view: ProjectView,
  git: Git,
  {
    commit,
    session,
    gate,
  }: { readonly commit: string | null; readonly session: number | null; readonly gate: string | null },
): Promise<Result<Range>> {
  if (commit !== null) return ofCommit(git, commit);
  if (gate !== null) {
    const record = findGate(view, gate);
    if (!record.ok) return record;
    for (const path of record.value.gate.evidence) {
      const range = await ofChecks(view, git, path);
      if (range !== null) return ok(range);
    }
    return unknown(record.value.gate.id);
  }
  if (session === null) return err(failure('usage', { what: 'one of commit, session and gate is needed', hint: '' }));
  const record = readSessionRecord(view, session);
  if (record?.commit) return ofCommit(git, record.commit);
  const range = record?.evidence ? await ofChecks(view, git, record.evidence) : null;
  return range === null ? unknown(String(session)) : ok(range);
}

async function ofCommit(git: Git, word: string): Promise<Result<Range>> {
  if (!/^[0-9a-f]{7,64}$/.test(word)) return unknown(word);
  const commit = await resolveCommit(git, word);
  if (!commit.ok) return commit;
  if (commit.value === null) return unknown(word);
  const parent = await resolveCommit(git, `${word}^`);
  const empty = await git.run(['hash-object', '-t', 'tree', '/dev/null']);
  if (!empty.ok) return empty;
  return ok({ from: parent.ok && parent.value !== null ? parent.value : empty.value.trim(), to: commit.value });
}

/** From what the first turn of its session began with to what was checked; null: one of them is gone. */
async function ofChecks(view: ProjectView, git: Git, path: string): Promise<Range | null> {
  const checked = readChecks(view, path.split('/').at(-1) ?? '');
  if (checked === null || checked.session === null) return null;
  const folder = pointerOf(view.workspaceDir, checked.session)?.folder ?? '';
  const begun = begunWith(folder);
  if (begun === null) return null;
  for (const tree of [begun, checked.tree])
    if (!/^[0-9a-f]{40,64}$/.test(tree) || !(await git.run(['cat-file', '-e', `${tree}^{tree}`])).ok) return null;
  return { from: begun, to: checked.tree };
}

const begunFile = z.looseObject({ tree: z.string() });

function begunWith(folder: string): string | null {
  const first = existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => /^turn-\d+\.begun\.json$/.test(name))
        .sort((a, b) => Number(/\d+/.exec(a)) - Number(/\d+/.exec(b)))[0]
    : undefined;
  const file = first === undefined ? null : readRegular(join(folder, first), MOST_BYTES);
  if (file?.kind !== 'file') return null;
  try {
    return begunFile.safeParse(JSON.parse(file.bytes.toString('utf8'))).data?.tree ?? null;
  } catch {
    return null;
  }
}
