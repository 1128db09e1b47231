// The list, and one item from claim to commit.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Answers } from './api.ts';
import { Checks, Diff, folderOf, Proofs } from './evidence.tsx';
import { count, day, money, plain, span } from './format.ts';
import { Badge, Empty, Fold, ItemLink, Loading, SessionLink, Wrong } from './parts.tsx';
import { useAnswer } from './store.ts';
import { ItemViews } from './graph.tsx';
import { Virtual } from './virtual.tsx';

type Item = Answers['items']['items'][number];

export function Items(): VNode {
  const { value, error } = useAnswer('items', {}, 'seldom');
  const [filter, setFilter] = useState('');
  const [status, setStatus] = useState<string | null>(null);
  if (value === null) return error === null ? <Loading /> : <Wrong error={error} />;
  const counts = Map.groupBy(value.items, (item) => item.status);
  const wanted = filter.trim().toLowerCase();
  const rows = value.items.filter(
    (item) =>
      (status === null || item.status === status) &&
      (wanted === '' || `#${item.id} ${item.title}`.toLowerCase().includes(wanted)),
  );
  return (
    <section>
      <h1>Items</h1>
      <div class="filters">
        <ItemViews current="list" />
        <input
          type="search"
          data-filter
          placeholder="Filter by number or title"
          aria-label="Filter items"
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
        <div class="chips" role="group" aria-label="By status">
          {[...counts].map(([name, own]) => (
            <button
              key={name}
              type="button"
              class="chip"
              aria-pressed={status === name}
              onClick={() => setStatus(status === name ? null : name)}
            >
              {name} <span class="muted">{own.length}</span>
            </button>
          ))}
        </div>
      </div>
      {rows.length === 0 ? (
        <Empty>No item matches.</Empty>
      ) : (
        <Virtual rows={rows} height={44} label="Items" keyOf={({ id }) => id}>
          {(item) => <ItemRow item={item} />}
        </Virtual>
      )}
    </section>
  );
}

function ItemRow({ item }: { readonly item: Item }): VNode {
  const more =
    item.blocked_by.length > 0
      ? `after ${item.blocked_by.map((id) => `#${id}`).join(', ')}`
      : item.attempts > 1
        ? `${item.attempts} sessions`
        : '';
  return (
    <a class="row item-row" data-row href={`#/items/${encodeURIComponent(item.id)}`}>
      <span class="id">#{plain(item.id)}</span>
      <span class="title">{plain(item.title)}</span>
      <span class="muted small wide">{plain(more)}</span>
      <Badge word={item.status} />
    </a>
  );
}

export function ItemPage({ id }: { readonly id: string }): VNode {
  const { value, error } = useAnswer('item', { item: id });
  const sessions = useAnswer('sessions', {}, 'seldom');
  if (value === null) return error === null ? <Loading /> : <Wrong error={error} />;
  const { item } = value;
  const own = (sessions.value?.sessions ?? []).filter((session) => session.item === item.id);
  return (
    <section>
      <p class="crumbs">
        <a href="#/items">Items</a> / #{plain(item.id)}
      </p>
      <h1>{plain(item.title)}</h1>
      <p class="facts">
        <Badge word={item.status} />
        <span>
          {item.sessions.length} {item.sessions.length === 1 ? 'session' : 'sessions'}
        </span>
        <a href="#/costs">{money(item.cost.usd)}</a>
        {item.test_file === null ? null : <code>{plain(item.test_file)}</code>}
        {item.depends_on.length === 0 ? null : (
          <span class="muted">
            after{' '}
            {item.depends_on.map((one) => (
              <ItemLink key={one} id={one} />
            ))}
          </span>
        )}
        {item.needed_by.length === 0 ? null : (
          <span class="muted">
            needed by{' '}
            {item.needed_by.map((one) => (
              <ItemLink key={one} id={one} />
            ))}
          </span>
        )}
      </p>
      {item.gates.map((gate) => (
        <p key={gate} class="card">
          <a href={`#/gates/${gate}`}>A question about it waits for your answer</a>
        </p>
      ))}
      <h2>From claim to commit</h2>
      {own.length === 0 ? <Empty>No session has worked on it yet.</Empty> : null}
      <ol class="story">
        {own.map((session) => (
          <Story key={session.session} session={session} item={item.id} isLast={session === own.at(-1)} />
        ))}
      </ol>
      <Fold summary="Its entry in the list">
        {() => (
          <pre class="output" tabIndex={0}>
            {plain(JSON.stringify(item.entry, null, 2))}
          </pre>
        )}
      </Fold>
    </section>
  );
}

type Session = Answers['sessions']['sessions'][number];

/** It is not over. */
const OPEN = new Set(['active', 'waiting', 'interrupted', 'partial', 'paused', 'gate']);

/** One session as the steps that decided about it. */
function Story({
  session,
  item,
  isLast,
}: {
  readonly session: Session;
  readonly item: string;
  readonly isLast: boolean;
}): VNode {
  const isLanded = session.result === 'landed';
  const isOpen = OPEN.has(session.result);
  const folder = session.evidence === null ? null : folderOf(session.evidence);
  return (
    <li class={isLanded ? 'landed' : isOpen ? 'open' : 'refused'}>
      <header>
        <SessionLink session={session.session} />
        <Badge word={session.result} />
        <span class="muted small push">{session.started === null ? '' : day(session.started)}</span>
      </header>
      <SessionFacts session={session} />
      {isLanded || isOpen ? null : <Why session={session} />}
      {folder === null ? null : (
        <Fold open={!isLanded && isLast} summary="Checked by the harness">
          {() => <Checks folder={folder} />}
        </Fold>
      )}
      {isLanded && isLast ? (
        <Fold open summary="Proved">
          {() => <Proofs item={item} />}
        </Fold>
      ) : null}
      {session.commit === null && folder === null ? null : (
        <Fold summary={session.commit === null ? 'What it had changed' : `Commit ${session.commit.slice(0, 10)}`}>
          {() => <Diff of={{ session: session.session }} />}
        </Fold>
      )}
      {session.attempt === null ? null : (
        <p class="muted small">
          Its work is kept: <code>harness attempts show {plain(item)}</code>
        </p>
      )}
    </li>
  );
}

export function SessionFacts({ session }: { readonly session: Session }): VNode {
  const ms =
    session.started === null || session.ended === null ? null : Date.parse(session.ended) - Date.parse(session.started);
  const { tokens } = session.cost;
  const facts = [
    [session.role, session.model ?? session.provider].filter((word) => word !== null).join(' · '),
    ms === null ? '' : span(ms),
    `${session.turns} ${session.turns === 1 ? 'turn' : 'turns'}`,
    `${session.tool_calls} tool calls`,
    `${count(tokens.input + tokens.output)} tokens`,
    money(session.cost.usd),
  ];
  return (
    <p class="facts muted small">
      {facts
        .filter((fact) => fact !== '')
        .map((fact) => (
          <span key={fact}>{plain(fact)}</span>
        ))}
    </p>
  );
}

/** Why the harness refused it. */
export function Why({ session }: { readonly session: Session }): VNode {
  return (
    <div class="why">
      <p>{plain(session.why)}</p>
      {session.problems.map((problem) => (
        <p key={problem.text} class="problem">
          {plain(problem.text)}
        </p>
      ))}
    </div>
  );
}
