// Performs an operation for a request: here, or by the command that does it where it takes the run lock.
import { join } from 'node:path';
import { wholeEnvironment } from '../../host/environment.ts';
import { packageRoot } from '../../host/package-root.ts';
import { runCommand } from '../../host/process.ts';
import type { Failure } from '../../model/failure.ts';
import { OPERATIONS, type OperationName } from '../operations/all.ts';
import type { Asker, OperationDefinition } from '../operations/operation.ts';
import { asPlain, plainObject, textAt } from '../open/loose-json.ts';

export type Performed =
  | { readonly ok: true; readonly answer: object }
  | { readonly ok: false; readonly status: number; readonly error: ErrorAnswer };
/** As the command line prints it with `--json`. */
export type ErrorAnswer = { readonly code: string; readonly message: string; readonly hint: string };

const COMMAND_MS = 10 * 60_000;
const MOST_BYTES = 1024 * 1024;

/** `input`: as the operation's schema gave it. */
export async function perform(
  asker: Asker,
  name: OperationName,
  input: { readonly [key: string]: unknown },
  token: string,
): Promise<Performed> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `input` was read by this operation's own schema
  const operation = OPERATIONS[name] as unknown as OperationDefinition;
  const words = operation.words?.(input) ?? null;
  if (words !== null) return byCommand(asker, words, { token, wallMs: operation.limitMs ?? COMMAND_MS });
  const done = await operation.run(asker, input);
  if (done.ok) return { ok: true, answer: answerOf(done.value.answer) };
  return { ok: false, status: statusOf(done.failure.reason), error: errorOf(done.failure, asker) };
}

const answerOf = (answer: unknown): object => (typeof answer === 'object' && answer !== null ? answer : {});

function errorOf(failure: Failure, { catalogue }: Asker): ErrorAnswer {
  const said = catalogue.failure(failure);
  return { code: failure.reason, message: said.title, hint: said.fix[0] ?? '' };
}

const BAD_REQUEST = new Set(['usage', 'reason-needed', 'gate-option-unknown']);
const statusOf = (reason: string): number => (BAD_REQUEST.has(reason) ? 400 : reason.endsWith('-unknown') ? 404 : 409);

async function byCommand(
  { repo, configFile }: Asker,
  words: readonly string[],
  { token, wallMs }: { readonly token: string; readonly wallMs: number },
): Promise<Performed> {
  const where = ['-C', repo, ...(configFile === null ? [] : ['--config', configFile]), '--json', '--no-input'];
  const environment = Object.entries(wholeEnvironment()).filter((one): one is [string, string] => one[1] !== undefined);
  const done = await runCommand({
    argv: [process.execPath, join(packageRoot(), 'bin', 'harness.cjs'), ...where, ...words],
    cwd: repo,
    env: Object.fromEntries(environment),
    token,
    wallMs,
    idleMs: null,
    keepBytes: MOST_BYTES,
    floodBytes: null,
  });
  const answer = plainObject(done.stdout.trim());
  if (done.code === 0 && answer !== null) {
    const { schema: _, ...rest } = answer;
    return { ok: true, answer: rest };
  }
  const error = asPlain(plainObject(done.stderr.trim().split('\n').at(-1) ?? '')?.['error']);
  const code = textAt(error, 'code') ?? 'command-failed';
  const message = textAt(error, 'message') ?? done.stderr.trim().slice(-500);
  return { ok: false, status: statusOf(code), error: { code, message, hint: textAt(error, 'hint') ?? '' } };
}
