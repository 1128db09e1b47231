// A question with what is needed to answer it: the checks, the difference, the document. Two touches answer it: an option, then yes.
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Refused, write, type Answers } from './api.ts';
import { Checks, Diff, folderOf } from './evidence.tsx';
import { ago, plain } from './format.ts';
import { Badge, Fold, ItemLink, Wrong } from './parts.tsx';
import { changed, useAnswer } from './store.ts';

type Gate = Answers['gates']['gates'][number];

export function GateCard({
  gate,
  title,
  now,
}: {
  readonly gate: Gate;
  readonly title: string;
  readonly now: number;
}): VNode {
  const [choice, choose] = useState<string | null>(null);
  const [note, setNote] = useState('');
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<Refused | null>(null);
  const confirm = useRef<HTMLDivElement>(null);
  // Below the edge of a phone it would have to be looked for.
  useEffect(() => confirm.current?.scrollIntoView({ block: 'nearest' }), [choice]);
  const chosen = gate.options.find(({ id }) => id === choice) ?? null;
  const send = async (): Promise<void> => {
    setSending(true);
    setError(null);
    try {
      await write('answer', { gate: gate.id, option: choice, note });
      changed();
    } catch (cause) {
      setError(cause instanceof Refused ? cause : new Refused('offline', 'The answer did not reach the server.', ''));
    }
    setSending(false);
  };
  const folder = gate.evidence.map(folderOf).find((name) => name.includes('check')) ?? gate.evidence.map(folderOf)[0];
  return (
    <article class="card gate" aria-labelledby={`${gate.id}-head`}>
      <header>
        <Badge word="waiting" text={gate.kind === 'escalation' ? 'needs you' : gate.kind} />
        <h2 id={`${gate.id}-head`}>
          <a href={`#/gates/${gate.id}`}>{plain(gate.header)}</a>
        </h2>
        {gate.item === null ? null : <ItemLink id={gate.item} title={title === '' ? (gate.title ?? '') : title} />}
        <span class="muted small push">
          {gate.id} · {ago(gate.since, now)}
        </span>
      </header>
      <p class="asked">{plain(gate.question)}</p>
      {gate.state === 'open' ? (
        <div class="options" role="group" aria-label="Answers">
          {gate.options.map((option) => (
            <button
              key={option.id}
              type="button"
              class={`option ${option.id === choice ? 'chosen' : ''} ${option.danger ? 'danger' : ''}`}
              aria-pressed={option.id === choice}
              onClick={() => choose(option.id === choice ? null : option.id)}
            >
              <span class="option-head">
                <strong>{plain(option.label)}</strong>
                {option.id === gate.recommended ? <span class="hint">recommended</span> : null}
              </span>
              <span class="muted">{plain(option.description)}</span>
            </button>
          ))}
        </div>
      ) : (
        <Answered gate={gate} />
      )}
      {chosen === null ? null : (
        <div class="confirm" ref={confirm}>
          <label>
            <span class="label">Note for the agent, if you want</span>
            <textarea rows={2} value={note} onInput={(event) => setNote(event.currentTarget.value)} />
          </label>
          <button
            type="button"
            class={chosen.danger ? 'primary danger' : 'primary'}
            disabled={isSending}
            onClick={() => void send()}
          >
            {isSending ? 'Sending…' : `Yes: ${plain(chosen.label)}`}
          </button>
        </div>
      )}
      <Wrong error={error} />
      <GatePaper gate={gate} />
      {folder === undefined ? null : (
        <>
          <Fold summary="What the harness checked">{() => <Checks folder={folder} />}</Fold>
          <Fold summary="What was changed">{() => <Diff of={{ gate: gate.id }} />}</Fold>
        </>
      )}
      {gate.policy === 'wait' ? null : (
        <p class="muted small">
          Without an answer, <strong>{plain(gate.policy.answer)}</strong> is taken {ago(gate.policy.at, now)}.
        </p>
      )}
    </article>
  );
}

/** The document to read first, if the question has one. */
function GatePaper({ gate }: { readonly gate: Gate }): VNode | null {
  const { value } = useAnswer('gate', { gate: gate.id }, 'once');
  const document = value?.gate.paper ?? null;
  if (document === null) return null;
  return (
    <Fold open summary="To read before you answer">
      {() => (
        <pre class="output" tabIndex={0}>
          {plain(document)}
        </pre>
      )}
    </Fold>
  );
}

function Answered({ gate }: { readonly gate: Gate }): VNode {
  if (gate.answer === null) return <p class="muted">It was withdrawn: nothing has to be answered any more.</p>;
  const { option, by, note, at } = gate.answer;
  return (
    <p>
      <strong>{plain(option)}</strong>{' '}
      <span class="muted">
        by {plain(by)}, {ago(at, Date.now())}
      </span>
      {note === '' ? null : <span class="said"> “{plain(note)}”</span>}
    </p>
  );
}
