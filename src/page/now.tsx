// Now: what waits for a person, what the lanes are doing, what comes next.
import type { VNode } from 'preact';
import type { Answers, RunEvent } from './api.ts';
import { ago, count, local, money, plain, span } from './format.ts';
import { GateCard } from './gate.tsx';
import { Badge, Empty, EventLine, Figure, ItemLink, Loading, Said, Wrong, useNow } from './parts.tsx';
import { useAnswer, useStream } from './store.ts';
import { ToMerge } from './to-merge.tsx';
import { lineOf } from './words.ts';

export function Now(): VNode {
  const status = useAnswer('status', {});
  const gates = useAnswer('gates', {});
  const lanes = useAnswer('lanes', {});
  const items = useAnswer('items', {}, 'seldom');
  const runs = useAnswer('runs', {}, 'seldom');
  const { events } = useStream();
  const isLive = (lanes.value?.lanes.length ?? 0) > 0;
  const now = useNow(isLive || (gates.value?.gates.length ?? 0) > 0);
  if (status.value === null) return status.error === null ? <Loading /> : <Wrong error={status.error} />;
  const titleOf = (id: string | null): string => items.value?.items.find((item) => item.id === id)?.title ?? '';
  const open = gates.value?.gates ?? [];
  const last = runs.value?.runs[0];
  const caught = runs.value?.runs.reduce((sum, run) => sum + run.caught, 0) ?? 0;
  return (
    <div class="now">
      <h1 class="unseen">Now</h1>
      <section class="figures" aria-label="At a glance">
        <Figure label="Landed" href="#/items" note={`of ${status.value.items.total}`}>
          {status.value.items.landed}
        </Figure>
        <Figure label="Waiting" href="#/gates" note="for you">
          {status.value.gates}
        </Figure>
        <Figure label="Caught" href="#/caught" note="refused">
          {caught}
        </Figure>
        <Figure label="Cost" href="#/costs" note="estimate">
          {money(status.value.cost.usd)}
        </Figure>
        <Figure label="Tokens" href="#/costs">
          {count(status.value.cost.tokens.input + status.value.cost.tokens.output)}
        </Figure>
      </section>
      <Progress items={status.value.items} />
      {open.length === 0 ? null : (
        <section class="urgent" aria-label="Waiting for you">
          <h2>Waiting for you</h2>
          {open.map((gate) => (
            <GateCard key={gate.id} gate={gate} title={titleOf(gate.item)} now={now} />
          ))}
        </section>
      )}
      {status.value.branch === undefined ? null : <ToMerge branch={status.value.branch} />}
      <section aria-label="Lanes">
        <h2>At work</h2>
        {lanes.value === null ? (
          <Loading />
        ) : lanes.value.lanes.length === 0 ? (
          <Idle status={status.value} title={titleOf(status.value.next.item)} last={last} now={now} />
        ) : (
          <div class="lanes">
            {lanes.value.lanes.map((lane) => (
              <Lane key={lane.session} lane={lane} repo={status.value?.repo ?? ''} now={now} />
            ))}
          </div>
        )}
      </section>
      <Feed events={events} runId={last?.run ?? null} />
    </div>
  );
}

const PARTS = ['landed', 'unproved', 'active', 'waiting', 'ready', 'pending', 'failed', 'blocked', 'skipped'] as const;

function Progress({ items }: { readonly items: Answers['status']['items'] }): VNode | null {
  if (items.total === 0) return null;
  const shown = PARTS.filter((part) => items[part] > 0);
  return (
    <a class="progress" href="#/items">
      <span class="track" aria-hidden="true">
        {shown.map((part) => (
          <span key={part} class={`share ${part}`} style={{ flexGrow: items[part] }} />
        ))}
      </span>
      <span class="legend">
        {shown.map((part) => (
          <span key={part}>
            <i class={`dot ${part}`} aria-hidden="true" />
            {items[part]} {part}
          </span>
        ))}
      </span>
    </a>
  );
}

function Idle(props: {
  readonly status: Answers['status'];
  readonly title: string;
  readonly last: Answers['runs']['runs'][number] | undefined;
  readonly now: number;
}): VNode {
  const { status, title, last, now } = props;
  const { next, run } = status;
  return (
    <div class="card idle">
      {run === null ? (
        <p>Nothing is running.</p>
      ) : (
        <p>
          <code>{plain(run.command ?? 'harness')}</code> is at work, between two sessions.
        </p>
      )}
      {next.item === null ? (
        <p class="muted">
          {status.items.total > 0 && status.items.landed + status.items.skipped === status.items.total
            ? 'Every item has landed or is skipped.'
            : 'No item can start now.'}
        </p>
      ) : (
        <p class="muted">
          Next is <ItemLink id={next.item} title={title} />
        </p>
      )}
      {last === undefined ? null : (
        <p class="muted small">
          The last run, <a href={`#/runs/${last.run}`}>{last.run}</a>,{' '}
          {last.ended === null ? 'is live' : `ended ${ago(last.ended, now)}`}: {last.landed} landed, {last.caught}{' '}
          caught, {money(last.cost.usd)}.
        </p>
      )}
    </div>
  );
}

type LaneAnswer = Answers['lanes']['lanes'][number];

function Lane(props: { readonly lane: LaneAnswer; readonly repo: string; readonly now: number }): VNode {
  const { lane, repo, now } = props;
  const atWork = lane.steps.findLast(({ ok }) => ok === null);
  const done = lane.steps.filter((step) => step !== atWork).slice(-5);
  const { context } = lane;
  const share = context === null ? 0 : Math.min(1, context.used / context.window);
  return (
    <article class="card lane">
      <header>
        <ItemLink id={lane.item} title={lane.title} />
        <a class="muted small push" href={`#/sessions/${lane.session}`}>
          session {lane.session}
        </a>
      </header>
      <div class="lane-body">
        <div>
          <p class="lane-line">
            <Badge word="running" text={lane.stage ?? 'starting'} />
            <span class="muted">
              {[lane.role, lane.model ?? lane.provider]
                .filter((word) => word !== null)
                .map((word) => plain(word))
                .join(' · ')}
            </span>
          </p>
          <p class="tool" aria-live="off">
            {lane.checking !== null ? (
              <>
                <span class="tool-name">check</span>
                <code>{lane.checking.map((name) => plain(name)).join(', ')}</code>
              </>
            ) : atWork !== undefined ? (
              <>
                <span class="tool-name">{plain(atWork.tool)}</span>
                <code title={plain(atWork.about)}>{plain(local(local(atWork.about, lane.workspace), repo))}</code>
              </>
            ) : (
              <span class="muted">{lane.steps.length === 0 ? 'getting ready' : 'thinking'}</span>
            )}
          </p>
          <dl class="lane-figures">
            <div>
              <dt>Time</dt>
              <dd>{lane.since === null ? '–' : span(now - Date.parse(lane.since))}</dd>
            </div>
            <div>
              <dt>Tokens</dt>
              <dd>{count(lane.cost.tokens.input + lane.cost.tokens.output)}</dd>
            </div>
            <div>
              <dt>Cost</dt>
              <dd>{money(lane.cost.usd)}</dd>
            </div>
            <div>
              <dt>Context</dt>
              <dd>
                {context === null ? '–' : `${Math.round(share * 100)} %`}
                <span class="meter" aria-hidden="true">
                  <span class={share > 0.75 ? 'warn' : ''} style={{ width: `${share * 100}%` }} />
                </span>
              </dd>
            </div>
          </dl>
        </div>
        <div>
          {done.length === 0 ? null : (
            <ol class="steps">
              {done.map((step) => (
                <li key={`${step.at}${step.about}`}>
                  <span
                    class={step.ok === false ? 'mark bad' : 'mark good'}
                    aria-label={step.ok === false ? 'failed' : 'done'}
                  >
                    {step.ok === false ? '✕' : '✓'}
                  </span>
                  <span class="tool-name">{plain(step.tool)}</span>
                  <code>{plain(local(local(step.about, lane.workspace), repo))}</code>
                </li>
              ))}
            </ol>
          )}
          {lane.said === '' ? null : (
            <p class="words">
              <Said text={lane.said} />
            </p>
          )}
        </div>
      </div>
    </article>
  );
}

/** What happened of note, newest first: of the last run, and live. */
function Feed({
  events,
  runId,
}: {
  readonly events: readonly RunEvent[];
  readonly runId: string | null;
}): VNode | null {
  const run = useAnswer('run', { run: runId ?? 'last' });
  const all = new Map([...(run.value?.events ?? []), ...events].map((event) => [`${event.run}:${event.seq}`, event]));
  const lines = [...all.values()]
    .flatMap((event) => {
      const line = lineOf(event);
      return line === null ? [] : [{ event, line }];
    })
    .slice(-24)
    .reverse();
  return (
    <section aria-label="What happened">
      <h2>
        What happened{' '}
        {runId === null ? null : (
          <a class="more" href={`#/runs/${runId}`}>
            whole run
          </a>
        )}
      </h2>
      {lines.length === 0 ? (
        <Empty>Nothing yet.</Empty>
      ) : (
        <ol class="feed">
          {lines.map(({ event, line }) => (
            <li key={`${event.run}:${event.seq}`}>
              <EventLine event={event} line={line} />
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
