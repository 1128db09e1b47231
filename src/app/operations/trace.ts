// From claims to verdicts: what each claim says, which item makes it true, its test, the commit that landed it, who judged it, and whether that still counts.
import { join } from 'node:path';
import { z } from 'zod';
import type { Claim } from '../../engine/backlog.ts';
import { readText } from '../../host/files.ts';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { playbookNamed } from '../../playbooks/registry.ts';
import { readEach } from '../../repos/objects.ts';
import { filesOfTree } from '../../repos/tree-walk.ts';
import { nameItem } from '../backlog/find-item.ts';
import { evidenceByItem } from '../evidence/item-evidence.ts';
import { reviewsHere, reviewsIn, reviewsSince } from '../evidence/reviews.ts';
import { openSource, type Source } from '../evidence/source.ts';
import { traced, TRACE_REASONS, TRACE_STATES, untraced, type Traced } from '../evidence/trace.ts';
import { readCurrentItems, type CurrentItems } from '../look/current-items.ts';
import { tipWhereLanded } from '../look/unmerged.ts';
import { openProjectView, type ProjectView } from '../open/project-view.ts';
import { operation } from './operation.ts';

const list = <S extends z.ZodType>(shape: S) => z.array(shape).readonly();

const rowShape = z.object({
  claim: z.string().nullable().describe('null: the list has no claims, and the row is of the item'),
  assertion: z.object({ text: z.string(), file: z.string(), line: z.number() }).nullable(),
  spec: z
    .object({ text: z.string(), file: z.string(), line: z.number().nullable().describe('null: it is not in the file') })
    .nullable()
    .describe('the sentence that the contract quotes; null: it quotes none'),
  item: z.string().nullable().describe('null: no item claims it'),
  title: z.string(),
  test: z.string().nullable(),
  commit: z.string().nullable().describe('the newest landing of the item'),
  verdict: z
    .object({
      result: z.enum(['pass', 'fail', 'unclear']),
      by: list(z.object({ role: z.string(), session: z.number() })),
      at: z.string(),
      tree: z.string().describe('the tree that was judged'),
      path: z.string(),
      quote: z.string(),
      why: z.string(),
    })
    .nullable()
    .describe('the last one; null: there is none'),
  state: z.enum(TRACE_STATES),
  reason: z.enum(TRACE_REASONS),
  changed: list(z.string()).describe('of a void verdict: what it rests on and is not as it was judged'),
});
const answerShape = z.object({
  playbook: z.string(),
  has_claims: z
    .boolean()
    .describe('false: its items promise nothing beyond their tests; there is one row for each item'),
  has_evidence: z.boolean().describe('false: no evidence bundle is here'),
  rows: list(rowShape),
  counts: z.object({ holds: z.number(), void: z.number(), failing: z.number(), unproved: z.number() }),
});

export const trace = operation({
  name: 'trace',
  kind: 'read',
  about:
    'Each claim with its assertion, item, test, landing and last verdict, and whether the code that the verdict rests on has changed since.',
  command: 'trace',
  input: z.object({ about: z.string().optional().describe('a claim or an item; left out: all of them') }),
  output: answerShape,
  async run(asker, { about }) {
    const view = await openProjectView(asker);
    if (!view.ok) return view;
    const source = await openSource({ repo: asker.repo, from: null });
    if (!source.ok) return source;
    try {
      const answer = await traceIn(view.value, source.value, about);
      return answer.ok ? ok({ answer: answer.value, detail: answer.value }) : answer;
    } finally {
      source.value.close();
    }
  },
});

type Answer = z.output<typeof answerShape>;

async function traceIn(view: ProjectView, source: Source, about: string | undefined): Promise<Result<Answer>> {
  const current = await readCurrentItems(view);
  if (!current.ok) return current;
  const evidence = await evidenceByItem(source);
  if (!evidence.ok) return evidence;
  const claims = await claimsOf(view, source, current.value, await tipWhereLanded(view));
  const wanted = about === undefined ? ok({ items: current.value.items, claims }) : named(about, current.value, claims);
  if (!wanted.ok) return wanted;
  const tip = await tipWhereLanded(view);
  const now = await filesOfTree(source.git, tip);
  const ids = new Map(now.ok ? now.value.map(({ path, id }) => [path, id]) : []);
  const here = reviewsHere(source.privateDir);
  const rows: Traced[] = [];
  for (const item of wanted.value.items) {
    const subject = current.value.list.subject(item.id);
    const found = await evidence.value.of(item.id, subject?.testFile ?? null);
    if (!found.ok) return found;
    const bundled = found.value.is === 'here' ? reviewsIn(found.value.checked) : [];
    const reviews = reviewsSince(
      bundled,
      here.filter((review) => review.item === item.id),
    );
    const of = { item, subject, evidence: found.value, reviews, idNow: (path: string) => ids.get(path) ?? null };
    const own = wanted.value.claims?.filter((claim) => claim.item === item.id) ?? [null];
    rows.push(...own.map((claim) => traced(claim, of)));
  }
  rows.push(...(wanted.value.claims ?? []).filter((claim) => claim.item === null).map(untraced));
  const count = (state: Traced['state']): number => rows.filter((row) => row.state === state).length;
  return ok({
    playbook: view.playbook,
    has_claims: claims !== null,
    has_evidence: evidence.value.isHere,
    rows: rows.map(rowOf),
    counts: { holds: count('holds'), void: count('void'), failing: count('failing'), unproved: count('unproved') },
  });
}

/** null: the format has none. As committed; what is in no commit, as it is in the work tree. */
async function claimsOf(
  { playbook, root }: ProjectView,
  { git }: Source,
  { text }: CurrentItems,
  tip: string,
): Promise<readonly Claim[] | null> {
  const { claims } = await playbookNamed(playbook).loadFormat();
  if (claims === undefined) return null;
  const files = claims.files(text);
  const committed = await readEach(
    git,
    files.map((file) => `${tip}:${file}`),
  );
  const texts = files.map((file, n) => {
    const object = committed[n] ?? null;
    if (object?.type === 'blob') return [file, object.bytes.toString('utf8')] as const;
    const read = readText(join(root, file));
    return [file, read.ok ? read.value : null] as const;
  });
  return claims.read(text, Object.fromEntries(texts));
}

type Wanted = { readonly items: CurrentItems['items']; readonly claims: readonly Claim[] | null };

/** A claim by its id; otherwise an item. */
function named(word: string, { items }: CurrentItems, claims: readonly Claim[] | null): Result<Wanted> {
  const own = claims?.filter(({ id }) => id.toLowerCase() === word.trim().toLowerCase()) ?? [];
  if (own.length > 0)
    return ok({ claims: own, items: items.filter(({ id }) => own.some((claim) => claim.item === id)) });
  const item = nameItem(word, items);
  if (!item.ok)
    return claims !== null && /^VAL-/i.test(word)
      ? err(failure('usage', { what: `no claim is called '${word}'`, hint: 'harness trace' }))
      : item;
  return ok({ items: [item.value], claims: claims?.filter((claim) => claim.item === item.value.id) ?? null });
}

const rowOf = ({ claim, item, test, commit, verdict, state, reason, changed }: Traced): Answer['rows'][number] => ({
  claim: claim?.id ?? null,
  assertion: claim?.assertion ?? null,
  spec: claim?.spec ?? null,
  item: item?.id ?? null,
  title: item?.title ?? '',
  test,
  commit,
  verdict,
  state,
  reason,
  changed,
});
