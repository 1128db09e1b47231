// History: the runs, one as a timeline, what was caught, and what it cost.
import type { VNode } from 'preact';
import type { Answers } from './api.ts';
import { clock, count, day, money, plain, span } from './format.ts';
import { Badge, Empty, EventLine, ItemLink, Loading, Wrong, useNow } from './parts.tsx';
import { SessionFacts, Why } from './items.tsx';
import { useAnswer } from './store.ts';
import { Virtual } from './virtual.tsx';
import { lineOf } from './words.ts';

type Run = Answers['runs']['runs'][number];

export function Runs(): VNode {
  const { value, error } = useAnswer('runs', {}, 'seldom');
  if (value === null) return error === null ? <Loading /> : <Wrong error={error} />;
  return (
    <section>
      <h1>Runs</h1>
      {value.runs.length === 0 ? (
        <Empty>
          There was no run yet. Start one here, or with <code>harness run</code>.
        </Empty>
      ) : (
        <Virtual rows={value.runs} height={52} label="Runs" keyOf={({ run }) => run}>
          {(run) => (
            <a class="row run-row" data-row href={`#/runs/${run.run}`}>
              <RunBadge run={run} />
              <span class="title">
                {run.started === null ? run.run : day(run.started)}
                <small class="muted"> {run.run}</small>
              </span>
              <span class="muted small wide">
                {run.sessions} sessions · {run.landed} landed · {run.caught} caught
              </span>
              <span class="number">{money(run.cost.usd)}</span>
            </a>
          )}
        </Virtual>
      )}
    </section>
  );
}

const RunBadge = ({ run }: { readonly run: Run }): VNode =>
  run.is_live ? <Badge word="running" /> : <Badge word={run.result ?? 'ended'} text={run.result ?? 'ended'} />;

export function RunPage({ name }: { readonly name: string }): VNode {
  const { value, error } = useAnswer('run', { run: name });
  const items = useAnswer('items', {}, 'seldom');
  const now = useNow(value?.run.is_live === true);
  if (value === null) return error === null ? <Loading /> : <Wrong error={error} />;
  const { run, spans, events } = value;
  const titles = new Map((items.value?.items ?? []).map((item) => [item.id, item.title]));
  const from = Math.min(...spans.map((one) => one.from), Date.parse(run.started ?? '') || Number.POSITIVE_INFINITY);
  const to = run.is_live ? now : Math.max(...spans.map((one) => one.to ?? one.from), Date.parse(run.ended ?? '') || 0);
  const lines = events.flatMap((event) => {
    const line = lineOf(event);
    return line === null ? [] : [{ event, line }];
  });
  return (
    <section>
      <p class="crumbs">
        <a href="#/runs">Runs</a> / {run.run}
      </p>
      <h1>{run.started === null ? run.run : day(run.started)}</h1>
      <p class="facts">
        <RunBadge run={run} />
        <span>{Number.isFinite(from) ? span(to - from) : ''}</span>
        <span>{run.sessions} sessions</span>
        <span>{run.landed} landed</span>
        <a href="#/caught">{run.caught} caught</a>
        <a href="#/costs">{money(run.cost.usd)}</a>
        <span>{count(run.cost.tokens.input + run.cost.tokens.output)} tokens</span>
        {run.command === null ? null : <code>{plain(run.command)}</code>}
      </p>
      <h2>Timeline</h2>
      {spans.length === 0 ? (
        <Empty>No session was started.</Empty>
      ) : (
        <Timeline spans={spans} from={from} to={Math.max(to, from + 1_000)} titles={titles} />
      )}
      <h2>What happened</h2>
      {lines.length === 0 ? (
        <Empty>An older program ran it, which kept no event log.</Empty>
      ) : (
        <Virtual rows={lines} height={30} label="Events" keyOf={({ event }) => event.seq}>
          {({ event, line }) => (
            <span class="feed-row">
              <EventLine event={event} line={line} />
            </span>
          )}
        </Virtual>
      )}
    </section>
  );
}

/** A session that asked something is not over, whatever became of its run. */
const endOf = ({ result, parts }: SpanAnswer): string =>
  result ?? (parts.at(-1)?.kind === 'question' ? 'waiting' : 'ended');

type SpanAnswer = Answers['run']['spans'][number];
const KINDS = ['prepare', 'agent', 'check', 'proof', 'wait', 'question'] as const;

function Timeline(props: {
  readonly spans: readonly SpanAnswer[];
  readonly from: number;
  readonly to: number;
  readonly titles: ReadonlyMap<string, string>;
}): VNode {
  const { spans, from, to, titles } = props;
  const whole = to - from;
  // Of one task each session is named by its role.
  const isOneItem = new Set(spans.map(({ item }) => item)).size === 1;
  const titleOf = (one: SpanAnswer): string =>
    (isOneItem ? one.parts.find(({ kind }) => kind === 'agent')?.about : undefined) ?? titles.get(one.item ?? '') ?? '';
  const place = (a: number, b: number): { readonly left: string; readonly width: string } => ({
    left: `${((a - from) / whole) * 100}%`,
    width: `${Math.max(0.25, ((b - a) / whole) * 100)}%`,
  });
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) => ({ share, text: span(share * whole) }));
  return (
    <div class="timeline">
      <p class="legend">
        {KINDS.map((kind) => (
          <span key={kind}>
            <i class={`swatch ${kind}`} aria-hidden="true" />
            {kind}
          </span>
        ))}
        <span>
          <i class="swatch part-fails" aria-hidden="true" />
          failed
        </span>
      </p>
      <div class="axis" aria-hidden="true">
        {ticks.map(({ share, text }) => (
          <span key={share} style={{ left: `${share * 100}%` }}>
            {share === 0 ? clock(from) : `+${text}`}
          </span>
        ))}
      </div>
      <Virtual rows={spans} height={38} label="Sessions of the run" keyOf={(one) => `${one.session}-${one.from}`}>
        {(one) => (
          <a class="lane-row" data-row href={`#/sessions/${one.session}`}>
            <span class="lane-name">
              <span class="id">{one.item === null || isOneItem ? `s${one.session}` : `#${plain(one.item)}`}</span>
              <span class="title">{plain(titleOf(one))}</span>
            </span>
            <span class="lane-track">
              {one.parts.length === 0 ? (
                <i class="part agent" style={place(one.from, one.to ?? to)} />
              ) : (
                one.parts.map((part) => (
                  <i
                    key={part.from}
                    class={`part ${part.kind} ${part.holds === false ? 'fails' : ''}`}
                    style={place(part.from, part.to ?? to)}
                    title={`${part.kind}${part.about === '' ? '' : `: ${plain(part.about)}`}, ${span((part.to ?? to) - part.from)}${part.holds === false ? ', failed' : ''}`}
                  />
                ))
              )}
            </span>
            {one.to === null ? <Badge word="running" /> : <Badge word={endOf(one)} />}
          </a>
        )}
      </Virtual>
    </div>
  );
}

export function Caught(): VNode {
  const { value, error } = useAnswer('sessions', {}, 'seldom');
  if (value === null) return error === null ? <Loading /> : <Wrong error={error} />;
  const rows = value.sessions.filter(({ result }) => result === 'rejected' || result === 'failed').reverse();
  return (
    <section>
      <h1>Caught</h1>
      <p class="muted">
        Work that an agent handed in and the harness refused. It was rolled back and is kept as an attempt.
      </p>
      {rows.length === 0 ? <Empty>Nothing was refused so far.</Empty> : null}
      {rows.slice(0, MOST_CARDS).map((session) => (
        <article key={session.session} class="card">
          <header>
            <a href={`#/sessions/${session.session}`}>session {session.session}</a>
            {session.item === null ? null : <ItemLink id={session.item} />}
            <Badge word={session.result} />
            <span class="muted small push">{session.ended === null ? '' : day(session.ended)}</span>
          </header>
          <Why session={session} />
          <SessionFacts session={session} />
        </article>
      ))}
      {rows.length > MOST_CARDS ? (
        <Virtual rows={rows.slice(MOST_CARDS)} height={44} label="Earlier ones" keyOf={({ session }) => session}>
          {(session) => (
            <a class="row item-row" data-row href={`#/sessions/${session.session}`}>
              <span class="id">s{session.session}</span>
              <span class="title">{plain(session.why)}</span>
              <span class="muted small wide">{session.item === null ? '' : `#${plain(session.item)}`}</span>
              <Badge word={session.result} />
            </a>
          )}
        </Virtual>
      ) : null}
    </section>
  );
}

/** The newest in full, the others as rows. */
const MOST_CARDS = 20;

export function Costs(): VNode {
  const { value, error } = useAnswer('costs', {}, 'seldom');
  const items = useAnswer('items', {}, 'seldom');
  if (value === null) return error === null ? <Loading /> : <Wrong error={error} />;
  const titles = new Map((items.value?.items ?? []).map((item) => [item.id, item.title]));
  const { tokens } = value.cost;
  return (
    <section>
      <h1>Costs</h1>
      <p class="facts">
        <strong class="big">{money(value.cost.usd)}</strong>
        <span class="muted">
          {count(tokens.input)} tokens in ({count(tokens.cached)} cached) · {count(tokens.output)} out · estimates
        </span>
      </p>
      <Groups
        title="By item"
        groups={value.by_item}
        nameOf={(key) => (key === '0' ? <span>set-up</span> : <ItemLink id={key} title={titles.get(key) ?? ''} />)}
      />
      <Groups
        title="By role"
        groups={value.by_role}
        nameOf={(key) => <span>{key === '' ? 'not noted' : plain(key)}</span>}
      />
      <Groups
        title="By model"
        groups={value.by_model}
        nameOf={(key) => <span>{key === '' ? 'not noted' : plain(key)}</span>}
      />
    </section>
  );
}

function Groups(props: {
  readonly title: string;
  readonly groups: Answers['costs']['by_item'];
  readonly nameOf: (key: string) => VNode;
}): VNode {
  const most = Math.max(...props.groups.map((group) => weightOf(group)), 0.000_001);
  return (
    <>
      <h2>{props.title}</h2>
      <Virtual rows={props.groups} height={40} label={props.title} keyOf={({ key }) => key}>
        {(group) => (
          <div class="row cost-row">
            <span class="title">{props.nameOf(group.key)}</span>
            <span class="bar" aria-hidden="true">
              <span style={{ width: `${(weightOf(group) / most) * 100}%` }} />
            </span>
            <span class="muted small wide">
              {group.sessions} {group.sessions === 1 ? 'session' : 'sessions'}
            </span>
            <span class="muted small wide">{count(group.cost.tokens.input + group.cost.tokens.output)} tokens</span>
            <span class="number">{money(group.cost.usd)}</span>
          </div>
        )}
      </Virtual>
    </>
  );
}

/** Money where it is known, else tokens. */
const weightOf = ({ cost }: Answers['costs']['by_item'][number]): number =>
  cost.usd ?? (cost.tokens.input + cost.tokens.output) / 1e6;
