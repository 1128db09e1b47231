// What a role answered that judged the work of a session: a folder of evidence of its own. If the session lands, its bundle has it
// (session-evidence.ts).
import { join } from 'node:path';
import { redactJson } from '../../host/redact.ts';
import { toJson } from '../../model/json.ts';
import type { RememberAsk } from '../../model/remember.ts';
import { keptReview, QUOTED_OUTPUT, quotedFile, REVIEW_FILE, type KeptReview } from '../../model/review.ts';
import { ok, type Result } from '../../model/result.ts';
import { changesBetween, filesOfTree } from '../../repos/tree-walk.ts';
import type { RunContext } from '../run-context.ts';
import { fileName } from '../token.ts';

type Ask = Extract<RememberAsk, { what: 'review' }>;
type Place = Pick<RunContext, 'git' | 'io' | 'clock' | 'privateDir' | 'redact'>;

export async function keepReview(context: Place, ask: Ask, token: string): Promise<Result<string>> {
  const { session, review } = ask;
  const files = await restsOn(context, ask);
  if (!files.ok) return files;
  const kept: KeptReview = {
    schema: 1,
    kind: 'harness.review',
    session,
    at: context.clock.iso(),
    ...review,
    files: files.value,
  };
  // Masked as data: what is masked stays JSON.
  const shown = keptReview.parse(redactJson(context.redact, toJson(kept)));
  const file = join(context.privateDir, 'evidence', `review-${fileName(token)}`, REVIEW_FILE);
  context.io.replace(file, `${JSON.stringify(shown, null, 2)}\n`);
  return ok(file);
}

/** The files that the verdict rests on, each as the tree has it that was judged. */
async function restsOn({ git }: Place, { review, since, testFile }: Ask): Promise<Result<KeptReview['files']>> {
  const { tree, assertions } = review;
  const changed = await changesBetween(git, [{ from: since, to: tree }]);
  if (!changed.ok) return changed;
  const quoted = assertions.map(({ path }) => quotedFile(path)).filter((path) => path !== '' && path !== QUOTED_OUTPUT);
  const named = [...new Set([...quoted, ...(testFile === null ? [] : [testFile])])];
  const found = named.length === 0 ? ok([]) : await filesOfTree(git, tree, named);
  if (!found.ok) return found;
  const ids = new Map<string, string | null>(found.value.map(({ path, id }) => [path, id]));
  for (const { path, after } of changed.value[0] ?? []) ids.set(path, after?.id ?? null);
  return ok([...ids].map(([path, id]) => ({ path, id })).toSorted((a, b) => (a.path < b.path ? -1 : 1)));
}
