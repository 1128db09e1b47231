// Reads a file of the harness's own by its schema, or fails with the place of the first mistake.
import { failure, type Failure } from './failure.ts';
import { syntaxFault } from './json-syntax.ts';
import { positions } from './json-text.ts';
import { err, ok, type Result } from './result.ts';

/** Thrown by `parse`: a newer version of the program wrote the file. */
export class NewerSchema extends Error {
  override readonly name = 'NewerSchema';
  readonly found: number;
  readonly supported: number;
  constructor(found: number, supported: number) {
    super(`schema ${found}`);
    this.found = found;
    this.supported = supported;
  }
}

/**
 * `schema.parse` may throw what zod throws. Failure: `reason` with `why` (`not-json`, `value-unfit`,
 * `value-missing`), its `detail` and the place: line and column, or the key.
 */
export function parseJsonFile<T>(
  text: string,
  file: string,
  schema: { parse(value: unknown): T },
  reason: 'state-unreadable' | 'baseline-unreadable' = 'state-unreadable',
): Result<T> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const { mistake, offset } = syntaxFault(text) ?? { mistake: 'unexpected-character', offset: 0 };
    return err(
      failure(reason, { file, why: 'not-json', detail: mistake }, { at: { file, ...positions(text)(offset) } }),
    );
  }
  try {
    return ok(schema.parse(value));
  } catch (error) {
    if (error instanceof NewerSchema)
      return err(failure('state-newer', { file, found: error.found, supported: error.supported }, { at: { file } }));
    return err(unfit(file, error, reason));
  }
}

/** What a schema, or a parser of YAML, had to say about a file: `why`, `detail`, and the place. */
export function unfit(
  file: string,
  error: unknown,
  reason: 'state-unreadable' | 'baseline-unreadable' = 'state-unreadable',
): Failure {
  const said = (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
  const [place] = isPlaced(error) ? error.linePos : [];
  if (place) {
    const detail = said.replace(/ at line \d+, column \d+:?$/, '');
    return failure(reason, { file, why: 'not-yaml', detail }, { at: { file, line: place.line, column: place.col } });
  }
  const [issue] = isIssues(error) ? error.issues : [];
  const key = issue?.path.map(String).join('.') ?? '';
  const isAbsent = issue?.message.endsWith(' received undefined') === true;
  if (isAbsent) return failure(reason, { file, why: 'value-missing', detail: key }, { at: { file, key } });
  const detail = `${key === '' ? '' : `${key}: `}${issue?.message ?? said}`;
  return failure(reason, { file, why: 'value-unfit', detail }, { at: key === '' ? { file } : { file, key } });
}

type Issues = { readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[] };
const isIssues = (error: unknown): error is Issues =>
  error instanceof Error && 'issues' in error && Array.isArray(error.issues);

type Placed = { readonly linePos: readonly { readonly line: number; readonly col: number }[] };
const isPlaced = (error: unknown): error is Placed =>
  error instanceof Error && 'linePos' in error && Array.isArray(error.linePos);
