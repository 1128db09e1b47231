// The page: its frame, its routes, its keys.
import { render, type VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { takeToken } from './api.ts';
import { Controls } from './controls.tsx';
import { plain } from './format.ts';
import { GateCard } from './gate.tsx';
import { Caught, Costs, RunPage, Runs } from './history.tsx';
import { Graph } from './graph.tsx';
import { ItemPage, Items } from './items.tsx';
import { Now } from './now.tsx';
import { Badge, Empty, Loading, useNow, Wrong } from './parts.tsx';
import { SessionPage } from './session.tsx';
import { startStore, useAnswer, useStream } from './store.ts';

const VIEWS = [
  ['Now', '#/'],
  ['Items', '#/items'],
  ['Runs', '#/runs'],
  ['Caught', '#/caught'],
  ['Costs', '#/costs'],
] as const;

function useRoute(): readonly string[] {
  const [hash, set] = useState(location.hash);
  useEffect(() => {
    const follow = (): void => {
      set(location.hash);
      scrollTo(0, 0);
    };
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return hash
    .replace(/^#\/?/, '')
    .split('/')
    .map((part) => decoded(part));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function App(): VNode {
  const [view = '', name] = useRoute();
  const [isHelp, setHelp] = useState(false);
  useKeys(() => setHelp((was) => !was));
  const status = useAnswer('status', {});
  const { state } = useStream();
  const { value, error } = status;
  useEffect(() => {
    const waiting = value?.gates ?? 0;
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${value?.project ?? 'harness'}`;
  }, [value?.gates, value?.project]);
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => focusMain(event)}>
        To the content
      </a>
      <header class="top">
        <a class="brand" href="#/" title={value?.repo ?? ''}>
          <img src="/icon.svg" alt="" width="22" height="22" />
          <strong>{plain(value?.project ?? 'harness')}</strong>
        </a>
        {value === null ? null : <State status={value} />}
        <nav aria-label="Views">
          {VIEWS.map(([label, href]) => (
            <a key={href} href={href} aria-current={isCurrent(view, href) ? 'page' : undefined}>
              {label}
              {label === 'Now' && (value?.gates ?? 0) > 0 ? <span class="count">{value?.gates}</span> : null}
            </a>
          ))}
        </nav>
        {value === null ? null : <Controls status={value} />}
      </header>
      {state === 'lost' ? (
        <p class="offline" role="status">
          The server does not answer. What you see is what it said last. <code>harness ui</code> starts it again.
        </p>
      ) : null}
      <main id="main" tabIndex={-1}>
        {error !== null && value === null ? <NoAnswer /> : viewOf(view, name)}
      </main>
      {isHelp ? <Help close={() => setHelp(false)} /> : null}
    </>
  );
}

const isCurrent = (view: string, href: string): boolean => {
  const own = href.replace('#/', '');
  return (
    own === view ||
    (own === '' && view === 'gates') ||
    (own === 'runs' && view === 'sessions') ||
    (own === 'items' && view === 'graph')
  );
};

function viewOf(view: string, name: string | undefined): VNode {
  switch (view) {
    case '':
      return <Now />;
    case 'items':
      return name === undefined ? <Items /> : <ItemPage key={name} id={name} />;
    case 'graph':
      return <Graph />;
    case 'runs':
      return name === undefined ? <Runs /> : <RunPage key={name} name={name} />;
    case 'sessions':
      return <SessionPage key={name} session={Number(name)} />;
    case 'gates':
      return <Gates only={name ?? null} />;
    case 'caught':
      return <Caught />;
    case 'costs':
      return <Costs />;
    default:
      return (
        <Empty>
          There is no such view. <a href="#/">Now</a>
        </Empty>
      );
  }
}

/** All questions, answered ones below; or one of them. */
function Gates({ only }: { readonly only: string | null }): VNode {
  const { value, error } = useAnswer('gates', { all: true });
  const items = useAnswer('items', {}, 'seldom');
  const now = useNow(true);
  if (value === null) return error === null ? <Loading /> : <Wrong error={error} />;
  const titleOf = (id: string | null): string => items.value?.items.find((item) => item.id === id)?.title ?? '';
  const shown = value.gates
    .filter(({ id }) => only === null || id === only)
    .toReversed()
    .toSorted((a, b) => Number(b.state === 'open') - Number(a.state === 'open'));
  return (
    <section>
      <h1>Questions</h1>
      {shown.length === 0 ? <Empty>No question was asked.</Empty> : null}
      {shown.slice(0, 100).map((gate) => (
        <GateCard key={gate.id} gate={gate} title={titleOf(gate.item)} now={now} />
      ))}
    </section>
  );
}

function State({
  status,
}: {
  readonly status: {
    readonly run: { readonly id: string | null } | null;
    readonly paused: boolean;
    readonly frozen: boolean;
  };
}): VNode {
  const isLive = status.run?.id?.startsWith('r-') === true;
  if (isLive) return <Badge word="running" text={status.paused ? 'pausing' : 'running'} />;
  if (status.frozen) return <Badge word="paused" text="frozen" />;
  if (status.paused) return <Badge word="paused" />;
  return <Badge word="idle" />;
}

const NoAnswer = (): VNode => (
  <div class="card">
    <h1>This page needs its key</h1>
    <p>
      Open it with <code>harness ui</code>, which prints an address with a key behind the #. Without it the server
      answers nothing, and that is what keeps other pages and programs out.
    </p>
  </div>
);

const KEYS: readonly (readonly [key: string, what: string])[] = [
  ['1 – 5', 'the five views'],
  ['j  k', 'the next and the previous row'],
  ['Enter', 'open the row'],
  ['/', 'filter'],
  ['Esc', 'back, or close'],
  ['?', 'these keys'],
];

function Help({ close }: { readonly close: () => void }): VNode {
  return (
    <div class="help" role="dialog" aria-label="Keys" aria-modal="true">
      <h2>Keys</h2>
      <dl>
        {KEYS.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <button type="button" ref={(button) => button?.focus()} onClick={close}>
        Close
      </button>
    </div>
  );
}

function focusMain(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

function useKeys(help: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const { target, key } = event;
      if (key === 'Escape') {
        if (document.querySelector('.help') !== null) help();
        else if (target instanceof HTMLElement) target.blur();
        return;
      }
      if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return;
      const view = VIEWS[Number(key) - 1];
      if (view !== undefined) location.hash = view[1];
      else if (key === 'j' || key === 'k') moveRow(key === 'j' ? 1 : -1);
      else if (key === '?') help();
      else if (key === '/') {
        const filter = document.querySelector<HTMLInputElement>('[data-filter]');
        filter?.focus();
        if (filter !== null) event.preventDefault();
      }
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

/** Rows that are not on the screen do not exist: the window scrolls, and the next one appears. */
function moveRow(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')].sort(
    (a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top,
  );
  const at = rows.findIndex((row) => row === document.activeElement);
  const next = rows[at < 0 ? 0 : at + by];
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: 'nearest' });
}

takeToken();
startStore(new AbortController().signal);
const root = document.getElementById('root');
if (root !== null) render(<App />, root);
