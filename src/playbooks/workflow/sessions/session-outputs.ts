// What sessions left in the work tree: missing files, changes outside of the bounds of the task, and files that were not theirs to change.
import { z } from 'zod';
import { defineSurvey } from '../../../engine/definitions.ts';
import { problemsSchema, type Problem } from '../../../model/verdict.ts';
import type { RepositoryView } from '../../../model/repository-view.ts';
import { outOfBounds } from '../paths/scope.ts';

const limits = z.object({ scope: z.string(), maxFiles: z.number(), docs: z.string() });
const onlyProblems = z.object({ problems: problemsSchema });

/** The file that a session did not write, and for a generator changes outside of the bounds. */
export const outputProblems = defineSurvey({
  id: 'workflow.output',
  input: limits.extend({ role: z.string(), output: z.string() }),
  facts: onlyProblems,
  async read({ view }, input) {
    const { role, output } = input;
    const isMissing = output !== '' && ((await view.read(output)) ?? '').trim() === '';
    const missing: readonly Problem[] = isMissing ? [{ code: 'output-missing', params: { file: output, role } }] : [];
    return { problems: role === 'generator' ? [...missing, ...(await beyondLimits(view, input))] : missing };
  },
});

/** Changes of the whole task outside of its bounds, whichever session made them. */
export const taskProblems = defineSurvey({
  id: 'workflow.bounds',
  input: limits,
  facts: onlyProblems,
  read: async ({ view }, input) => ({ problems: await beyondLimits(view, input) }),
});

/** Everything that is not committed yet belongs to this task. */
async function beyondLimits(view: RepositoryView, { scope, maxFiles, docs }: z.output<typeof limits>) {
  const changed = await view.changedSince('HEAD');
  return outOfBounds({ changed, scope, maxFiles, own: [docs, '.harness/'] });
}

/** Files that a group of sessions changed although they were sent to write others; and whether HEAD or the branch moved. */
export const strayChanges = defineSurvey({
  id: 'workflow.strays',
  input: z.object({
    roles: z.array(z.string()).readonly(),
    outputs: z.array(z.string()).readonly(),
    since: z.string(),
    head: z.string(),
    branch: z.string(),
    docs: z.string(),
  }),
  facts: z.object({ paths: z.array(z.string()).readonly(), isMoved: z.boolean() }),
  async read({ view }, { roles, outputs, since, head, branch, docs }) {
    const now = await view.head();
    if (now.commit !== head || (now.branch ?? '') !== branch) return { paths: [], isMoved: true };
    const isGenerator = roles.includes('generator');
    const changed = await view.changedSince(since);
    // A generator may change code; of the documents it may change its own.
    const paths = changed.filter((path) => !outputs.includes(path) && (!isGenerator || path.startsWith(docs)));
    return { paths, isMoved: false };
  },
});
