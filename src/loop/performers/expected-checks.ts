// Checks that a forge has not registered yet and that will come: workflows in the files of the commit, and what the base branch requires. Until the first of
// them is there, the commit counts as not checked.
import type { Check, OpenForge } from '../../forge/port.ts';
import type { CiAsk } from '../../model/forge-action.ts';
import { ok, type Result } from '../../model/result.ts';
import type { Git } from '../../repos/git.ts';
import { readObjects } from '../../repos/objects.ts';
import { entriesBetween, filesOfTree } from '../../repos/tree-walk.ts';

/** As GitHub names its own program that runs workflows. */
const ACTIONS = 'github-actions';

/**
 * With a pending one for each that will come: those that the base branch requires by name; of workflows that none is registered of; or, where there are
 * none at all, of rules of the base branch that are not known.
 */
export async function withExpected(
  git: Git,
  { forge, baseBranch }: OpenForge,
  ask: CiAsk,
  checks: readonly Check[],
): Promise<Result<readonly Check[]>> {
  const required = await forge.requiredChecks(baseBranch);
  if (!required.ok) return required;
  const named = required.value.filter((name) => !checks.some((check) => check.name === name));
  const late = named.map((name) => notBegun(name, `required by ${baseBranch}`));
  if (late.length > 0 || checks.some(({ by }) => by === ACTIONS)) return ok([...checks, ...late]);
  const expected = await workflowsFor(git, ask, baseBranch);
  if (!expected.ok) return expected;
  if (expected.value.length > 0) return ok([...checks, notBegun('workflows', expected.value.join(', '))]);
  if (checks.length > 0 || ask.pull === undefined) return ok(checks);
  const pull = await forge.readPull(ask.pull);
  if (!pull.ok) return pull;
  return ok(pull.value.isBlocked === true ? [notBegun('required', `rules of ${baseBranch}`)] : checks);
}

const notBegun = (name: string, what: string): Check => ({
  name,
  state: 'pending',
  url: null,
  summary: `not begun: ${what}`,
});

/** Files of workflows that run for this commit as a pull request. */
async function workflowsFor(git: Git, { commit, branch }: CiAsk, base: string): Promise<Result<readonly string[]>> {
  if (branch === undefined) return ok([]);
  const { isWorkflow, runsFor, WORKFLOWS } = await import('../../forge/github/workflows.ts');
  const listed = await filesOfTree(git, commit, [WORKFLOWS]);
  if (!listed.ok) return listed;
  const files = listed.value.filter(({ path }) => isWorkflow(path));
  if (files.length === 0) return ok([]);
  const texts = await readObjects(
    git,
    files.map(({ id }) => id),
  );
  if (!texts.ok) return texts;
  const changed = await entriesBetween(git, `${commit}^1`, commit);
  if (!changed.ok) return changed;
  const change = { base, head: branch, paths: changed.value.map(({ path }) => path) };
  return ok(
    files.flatMap(({ path }, n) => (runsFor(texts.value[n]?.bytes.toString('utf8') ?? '', change) ? [path] : [])),
  );
}
