// Trees on which the whole suite was proved, in which environment: the baseline of a session that starts from one of them is known. Only the
// harness writes this record. The newest few are kept.
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { targetStatsOf } from '../../host/paths.ts';
import { z } from 'zod';
import { readEnvironment } from '../../host/environment.ts';
import { sha256 } from '../../host/files.ts';
import { ok, type Result } from '../../model/result.ts';
import { pathsBetween } from '../../repos/history.ts';
import { installationsFor, type InstallAsk } from '../installations.ts';
import type { RunContext } from '../run-context.ts';

const KEPT = 16;
const schema = z.object({
  schema: z.literal(1),
  proved: z.array(z.object({ tree: z.string(), command: z.string(), environment: z.string() })).readonly(),
});
type Proved = z.output<typeof schema>['proved'];
type Context = Pick<
  RunContext,
  | 'root'
  | 'userRoot'
  | 'lane'
  | 'proofDir'
  | 'workspaceDir'
  | 'git'
  | 'config'
  | 'io'
  | 'redact'
  | 'notify'
  | 'openBoxAt'
  | 'box'
>;

const fileOf = ({ workspaceDir }: Pick<Context, 'workspaceDir'>): string => join(workspaceDir, 'proved.json');

function read(context: Context): Proved {
  const file = fileOf(context);
  if (!existsSync(file)) return [];
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8'))).proved;
  } catch {
    return []; // of another version: the suite runs again
  }
}

/** What beside the files decides how tests end, as far as it can be seen: installed packages, the box, the programs that run tests. */
export async function environmentOf(context: Context, ask: InstallAsk): Promise<Result<string>> {
  const installed = await installationsFor(context, ask);
  if (!installed.ok) return installed;
  const { testing, lanesShare, sandbox } = context.config;
  const shared = lanesShare.map((path) => [path, factsOf(join(context.root, path))]);
  const programs = ['node', 'python3', 'python', 'npm'].map(programOn);
  const parts = [installed.value, testing.build, shared, sandbox.network, context.box.level, process.version, programs];
  return ok(sha256(JSON.stringify(parts)));
}

function programOn(name: string): { readonly path: string; readonly facts: string } | undefined {
  const paths = readEnvironment()
    .path.split(delimiter)
    .map((folder) => join(folder, name));
  return paths.map((path) => ({ path, facts: factsOf(path) })).find(({ facts }) => facts !== '');
}

function factsOf(path: string): string {
  const facts = targetStatsOf(path);
  return facts === null ? '' : `${facts.size} ${facts.mtimeMs}`;
}

/** After a run of the suite in which everything held that has to. */
export async function keepProved(context: Context, command: string, ask: InstallAsk): Promise<Result<null>> {
  const environment = await environmentOf(context, ask);
  if (!environment.ok) return environment;
  const one = { tree: ask.tree, command, environment: environment.value };
  const rest = read(context).filter((other) => other.tree !== ask.tree || other.command !== command);
  // Where it is lost, the suite runs again.
  const text = `${JSON.stringify({ schema: 1, proved: [one, ...rest].slice(0, KEPT) })}\n`;
  context.io.replace(fileOf(context), text, 'may-be-lost');
  return ok(null);
}

/** Whether this command has proved this tree in this environment. `own`: files of the harness, which no test decides by. */
export async function isProved(
  context: Context,
  command: string,
  ask: InstallAsk,
  own: readonly string[],
): Promise<Result<boolean>> {
  const known = read(context).filter((one) => one.command === command);
  if (known.length === 0) return ok(false);
  const environment = await environmentOf(context, ask);
  if (!environment.ok) return environment;
  for (const { tree } of known.filter((one) => one.environment === environment.value)) {
    if (tree === ask.tree) return ok(true);
    const differ = await pathsBetween(context.git, tree, ask.tree);
    // A tree that was never kept may be gone.
    if (differ.ok && differ.value.every((path) => own.includes(path))) return ok(true);
  }
  return ok(false);
}
