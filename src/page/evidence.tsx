// What a result rests on: the difference, the checks that the harness ran, and the proofs of the bundle.
import type { VNode } from 'preact';
import type { Answers } from './api.ts';
import { plain, span } from './format.ts';
import { Empty, Fold, Loading, Wrong } from './parts.tsx';
import { useAnswer } from './store.ts';

/** One of the three. */
export type DiffOf = { readonly commit: string } | { readonly session: number } | { readonly gate: string };

export function Diff({ of }: { readonly of: DiffOf }): VNode {
  const { value, error } = useAnswer('diff', of, 'once');
  if (value === null) return error === null ? <Loading /> : <Wrong error={error} />;
  const files = filesOf(value.patch);
  const added = value.files.reduce((sum, file) => sum + (file.added ?? 0), 0);
  const removed = value.files.reduce((sum, file) => sum + (file.removed ?? 0), 0);
  if (value.files.length === 0) return <Empty>Nothing was changed.</Empty>;
  return (
    <div class="diff">
      <p class="muted small">
        {value.files.length} {value.files.length === 1 ? 'file' : 'files'} · <Counts added={added} removed={removed} />
        {value.is_cut ? ' · the end is cut off here; git shows all of it' : ''}
      </p>
      {value.files.map(({ path, added: plus, removed: minus }) => (
        <Fold
          key={path}
          open={value.files.length <= 8 && (plus ?? 0) + (minus ?? 0) <= 120}
          summary={
            <>
              <code>{plain(path)}</code> <Counts added={plus} removed={minus} />
            </>
          }
        >
          {() => <Patch lines={files.get(path) ?? []} />}
        </Fold>
      ))}
    </div>
  );
}

function Counts({ added, removed }: { readonly added: number | null; readonly removed: number | null }): VNode {
  if (added === null || removed === null) return <span class="muted">binary</span>;
  return (
    <span class="counts">
      <span class="plus">+{added}</span> <span class="minus">−{removed}</span>
    </span>
  );
}

/** More lines than this are not looked at line by line. */
const MOST_LINES = 2_000;

function Patch({ lines }: { readonly lines: readonly string[] }): VNode {
  if (lines.length === 0) return <Empty>No lines to show.</Empty>;
  return (
    <pre class="patch" tabIndex={0}>
      {lines.slice(0, MOST_LINES).map((line, i) => (
        <span
          key={i}
          class={line.startsWith('@@') ? 'hunk' : line.startsWith('+') ? 'plus' : line.startsWith('-') ? 'minus' : ''}
        >
          {plain(line)}
          {'\n'}
        </span>
      ))}
    </pre>
  );
}

/** The lines of a patch by file, without its headers. */
function filesOf(patch: string): ReadonlyMap<string, readonly string[]> {
  const files = new Map<string, readonly string[]>();
  for (const part of patch.split(/^(?=diff --git )/m)) {
    const path =
      /^\+\+\+ b\/(.*)$/m.exec(part)?.[1] ?? /^--- a\/(.*)$/m.exec(part)?.[1] ?? /^rename to (.*)$/m.exec(part)?.[1];
    if (path === undefined) continue;
    const from = part.indexOf('\n@@');
    files.set(
      unquoted(path),
      from < 0
        ? []
        : part
            .slice(from + 1)
            .trimEnd()
            .split('\n'),
    );
  }
  return files;
}

const unquoted = (path: string): string => (path.endsWith('\t') ? path.slice(0, -1) : path);

/** The last part of an evidence path is the name of its folder. */
export const folderOf = (path: string): string => path.split('/').at(-1) ?? path;

export function Checks({ folder }: { readonly folder: string }): VNode {
  const { value, error } = useAnswer('checks', { folder }, 'once');
  if (value === null) return error === null ? <Loading /> : <Wrong error={error} />;
  return (
    <div class="checks">
      {value.checks.map((check) => (
        <Check key={check.name} check={check} />
      ))}
      <p class="muted small">
        {value.purpose} checks on tree <code>{value.tree.slice(0, 10)}</code>
        {value.sandbox === null ? '' : ` in a box (${value.sandbox})`}
      </p>
    </div>
  );
}

function Check({ check }: { readonly check: Answers['checks']['checks'][number] }): VNode {
  const isWrong = check.problems.length > 0 || check.ended !== null;
  const { tests } = check;
  return (
    <Fold
      open={isWrong}
      summary={
        <>
          <span class={isWrong ? 'mark bad' : 'mark good'} aria-label={isWrong ? 'failed' : 'passed'}>
            {isWrong ? '✕' : '✓'}
          </span>
          <strong>{check.name}</strong>
          <span class="muted">
            {tests === null ? `exit ${check.exit ?? '–'}` : `${tests.passed} of ${tests.total} tests pass`} ·{' '}
            {span(check.ms)}
          </span>
        </>
      }
    >
      {() => (
        <>
          <p>
            <code>$ {plain(check.command)}</code>
          </p>
          {check.problems.map((problem) => (
            <p key={problem} class="problem">
              {plain(problem)}
            </p>
          ))}
          {check.output === '' ? null : (
            <pre class="output" tabIndex={0}>
              {plain(check.output)}
            </pre>
          )}
        </>
      )}
    </Fold>
  );
}

/** What each proof shows, for a reader who has not read docs/proof.md. */
const PROOFS: ReadonlyMap<string, string> = new Map([
  ['feature', 'the tests of the item pass'],
  ['full', 'all tests that passed before still pass'],
  ['lint', 'lint is clean'],
  ['build', 'it builds'],
  ['red', 'its tests fail without the work'],
  ['mutation', 'its tests notice faults in the work'],
  ['canary', 'the runner reports a planted failure'],
  ['hidden', 'no failure is hidden from the report'],
  ['frozen', 'the old tests pass with the new source'],
]);

export function Proofs({ item }: { readonly item: string }): VNode | null {
  const { value } = useAnswer('evidence', { item }, 'once');
  const bundle = value?.bundles.at(-1);
  const manifest = fields(bundle?.manifest);
  const proof = fields(manifest?.['proof']);
  if (bundle === undefined || proof === null) return null;
  const held = words(proof['held']);
  const missing = words(proof['notPossible']);
  return (
    <div class="proofs">
      <ul>
        {held.map((name) => (
          <li key={name}>
            <span class="mark good" aria-label="held">
              ✓
            </span>
            <strong>{plain(name)}</strong> <span class="muted">{PROOFS.get(name) ?? ''}</span>
          </li>
        ))}
        {missing.map((name) => (
          <li key={name}>
            <span class="mark calm" aria-label="not possible">
              –
            </span>
            <strong>{plain(name)}</strong> <span class="muted">was not possible here</span>
          </li>
        ))}
      </ul>
      <p class="muted small">
        bundle <code title={bundle.sha256}>{bundle.sha256.slice(0, 16)}</code> · verify it:{' '}
        <code>harness evidence verify {plain(item)}</code>
      </p>
    </div>
  );
}

type Fields = { readonly [name: string]: unknown };
const fields = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : null;
const words = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
