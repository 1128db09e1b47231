// One session: how it ended, what it changed, what was checked, and its transcript.
import type { VNode } from 'preact';
import { Checks, Diff, folderOf } from './evidence.tsx';
import { clock, local, plain } from './format.ts';
import { Badge, Empty, Fold, ItemLink, Loading, Wrong } from './parts.tsx';
import { SessionFacts, Why } from './items.tsx';
import { useAnswer } from './store.ts';

export function SessionPage({ session: number }: { readonly session: number }): VNode {
  const { value, error } = useAnswer('session', { session: number });
  const status = useAnswer('status', {});
  if (value === null) return error === null ? <Loading /> : <Wrong error={error} />;
  const { session, transcript } = value;
  const repo = status.value?.repo ?? '';
  const run = session?.run ?? null;
  return (
    <section>
      <p class="crumbs">
        {run === null ? <a href="#/runs">Runs</a> : <a href={`#/runs/${run}`}>{run}</a>} / session {number}
      </p>
      <h1>Session {number}</h1>
      {session === null ? (
        <p class="facts">
          <Badge word="running" />
        </p>
      ) : (
        <>
          <p class="facts">
            <Badge word={session.result} />
            {session.item === null ? null : <ItemLink id={session.item} />}
            {session.commit === null ? null : <code>{session.commit.slice(0, 10)}</code>}
          </p>
          <SessionFacts session={session} />
          {WELL.has(session.result) ? null : <Why session={session} />}
          {session.evidence === null ? null : (
            <Fold open={!WELL.has(session.result)} summary="Checked by the harness">
              {() => <Checks folder={folderOf(session.evidence ?? '')} />}
            </Fold>
          )}
          {session.commit === null && session.evidence === null ? null : (
            <Fold summary={session.commit === null ? 'What it had changed' : 'What it changed'}>
              {() => <Diff of={{ session: number }} />}
            </Fold>
          )}
        </>
      )}
      <h2>Transcript</h2>
      {value.is_cut ? (
        <p class="muted small">Only its end is shown; all of it is in .harness/sessions/{number}/events.jsonl.</p>
      ) : null}
      {transcript.length === 0 ? <Empty>Nothing was said yet.</Empty> : null}
      <ol class="transcript">
        {entriesOf(transcript).map((entry, i) => (
          <Entry key={i} entry={entry} repo={repo} />
        ))}
      </ol>
    </section>
  );
}

/** Nothing went wrong: it is done, or not over. */
const WELL = new Set(['landed', 'done', 'active', 'waiting', 'interrupted']);

type Line = { readonly [key: string]: unknown };
type TranscriptEntry =
  | { readonly kind: 'text' | 'thought' | 'note'; readonly at: string; readonly text: string }
  | {
      readonly kind: 'tool';
      readonly at: string;
      readonly name: string;
      readonly input: string;
      readonly ok: boolean | null;
      readonly output: string;
    };

const word = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Pieces of one text as one, and each tool call with its output. */
function entriesOf(lines: readonly Line[]): readonly TranscriptEntry[] {
  const entries: TranscriptEntry[] = [];
  const tools = new Map<string, number>();
  for (const line of lines) {
    const at = word(line['ts']);
    const last = entries.at(-1);
    switch (line['t']) {
      case 'text':
      case 'thought': {
        const kind = line['t'];
        if (last?.kind === kind) entries[entries.length - 1] = { ...last, text: last.text + word(line['text']) };
        else entries.push({ kind, at, text: word(line['text']) });
        break;
      }
      case 'tool-start':
        tools.set(word(line['id']), entries.length);
        entries.push({
          kind: 'tool',
          at,
          name: word(line['name']),
          input: shownInput(line['input']),
          ok: null,
          output: '',
        });
        break;
      case 'tool-end': {
        const place = tools.get(word(line['id']));
        const tool = place === undefined ? undefined : entries[place];
        if (place !== undefined && tool?.kind === 'tool')
          entries[place] = { ...tool, ok: line['ok'] === true, output: word(line['output']) };
        break;
      }
      case 'permission':
        if (line['decision'] === 'deny')
          entries.push({ kind: 'note', at, text: `refused: ${word(line['about'])} (${word(line['why'])})` });
        break;
      case 'violation':
        entries.push({ kind: 'note', at, text: `did not ask: ${word(line['about'])} (${word(line['why'])})` });
        break;
      case 'limit':
        entries.push({ kind: 'note', at, text: `limit: ${word(line['limit'])}` });
        break;
      default:
    }
  }
  return entries;
}

function shownInput(input: unknown): string {
  if (typeof input !== 'object' || input === null) return '';
  const fields = new Map(Object.entries(input));
  for (const name of ['command', 'path', 'file_path', 'pattern', 'url', 'query']) {
    const value: unknown = fields.get(name);
    if (typeof value === 'string') return value;
  }
  return JSON.stringify(input);
}

const SHORT = 4_000;
const cut = (text: string): string =>
  text.length > SHORT ? `${text.slice(0, SHORT)}\n… (${text.length - SHORT} more characters)` : text;

function Entry({ entry, repo }: { readonly entry: TranscriptEntry; readonly repo: string }): VNode {
  const time = entry.at === '' ? null : <time>{clock(entry.at)}</time>;
  if (entry.kind !== 'tool')
    return (
      <li class={entry.kind}>
        {time}
        <p class="said">{plain(entry.text.trim())}</p>
      </li>
    );
  const head = (
    <>
      <span
        class={entry.ok === false ? 'mark bad' : 'mark good'}
        aria-label={entry.ok === null ? 'at work' : entry.ok ? 'done' : 'failed'}
      >
        {entry.ok === null ? '…' : entry.ok ? '✓' : '✕'}
      </span>
      <span class="tool-name">{plain(entry.name)}</span> <code>{plain(local(entry.input, repo).slice(0, 300))}</code>
    </>
  );
  return (
    <li class="tool-entry">
      {time}
      {entry.output.trim() === '' ? (
        <p>{head}</p>
      ) : (
        <Fold open={entry.ok === false} summary={head}>
          {() => (
            <pre class="output" tabIndex={0}>
              {plain(cut(entry.output.trimEnd()))}
            </pre>
          )}
        </Fold>
      )}
    </li>
  );
}
