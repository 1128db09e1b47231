// What sessions left: files that are missing, bounds, strays, new TODOs, papers that git ignores.
import { z } from 'zod';
import type { Survey } from '../../engine/playbook.ts';
import type { Problem } from '../../model/verdict.ts';
import type { World } from '../../model/world.ts';
import { asJson } from '../session/surveys.ts';
import { outOfBounds } from './paths/scope.ts';
import { newTodos } from './project/todos.ts';
import { isFile } from './standing.ts';

const boundsInput = z.object({ scope: z.string(), maxFiles: z.number(), docs: z.string() });
const leftInput = boundsInput.extend({ role: z.string(), output: z.string() });
/** What a session should have left and has not, and where a generator went beyond its bounds: `{problems}`. */
export const left: Survey = async (world, input) => {
  const { role, output, ...limits } = leftInput.parse(input);
  const text = output === '' ? null : await world.read(output);
  const isMissing = output !== '' && (text === null || text.trim() === '');
  const missing: readonly Problem[] = isMissing ? [{ code: 'output-missing', params: { file: output, role } }] : [];
  return asJson({ problems: role === 'generator' ? [...missing, ...(await beyond(world, limits))] : missing });
};
/** Where the work of the task is beyond its bounds, whoever did it: `{problems}`. */
export const bounds: Survey = async (world, input) =>
  asJson({ problems: await beyond(world, boundsInput.parse(input)) });

/** All that is not committed yet is this task's: bounds are for the whole of it. */
async function beyond(
  world: World,
  { scope, maxFiles, docs }: z.output<typeof boundsInput>,
): Promise<readonly Problem[]> {
  const changed = await world.changedSince('HEAD');
  return outOfBounds({ changed, scope, maxFiles, own: [docs, '.harness/'] });
}

const strayedInput = z.object({
  roles: z.array(z.string()),
  outputs: z.array(z.string()),
  since: z.string(),
  head: z.string(),
  branch: z.string(),
  docs: z.string(),
});
/** `{paths, isMoved}`: what sessions changed that were sent for one file each; whether somebody committed or switched the branch. */
export const strayed: Survey = async (world, input) => {
  const { roles, outputs, since, head, branch, docs } = strayedInput.parse(input);
  const now = await world.head();
  const isMoved = now.commit !== head || (now.branch ?? '') !== branch;
  if (isMoved) return asJson({ paths: [], isMoved });
  const isGenerator = roles.includes('generator');
  const mine = new Set(outputs);
  const changed = await world.changedSince(since);
  // A generator may change code; of the papers of the others only its own is its business.
  const paths = changed.filter((path) => !mine.has(path) && (!isGenerator || path.startsWith(docs)));
  return asJson({ paths, isMoved });
};

const todoInput = z.object({ docs: z.string() });
export const todos: Survey = async (world, input) => {
  const { docs } = todoInput.parse(input);
  const changed = (await world.changedSince('HEAD')).filter((path) => !path.startsWith(docs));
  return asJson({ todos: await newTodos(world, changed, 'HEAD'), at: world.now });
};

const ignoredInput = z.object({ paths: z.array(z.string()), at: z.string() });
/** `{isIgnored}`: of these papers some are there, and the checkpoint has none of them. */
export const ignored: Survey = async (world, input) => {
  const { paths, at } = ignoredInput.parse(input);
  const there = await Promise.all(paths.map((path) => isFile(world, path)));
  const papers = paths.filter((_, n) => there[n]);
  const kept = await Promise.all(papers.map((path) => world.readAt(at, path)));
  return asJson({ isIgnored: papers.length > 0 && kept.every((text) => text === null) });
};
