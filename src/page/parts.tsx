// Small parts that all views share.
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Refused, RunEvent } from './api.ts';
import { clock, plain } from './format.ts';
import type { lineOf } from './words.ts';

/** What a word means at a glance: done well, needs a look, refused, at work, or nothing special. */
type Tone = 'good' | 'warn' | 'bad' | 'live' | 'calm';
const TONES: { readonly [word: string]: Tone } = {
  landed: 'good',
  done: 'good',
  unproved: 'warn',
  waiting: 'warn',
  gate: 'warn',
  partial: 'warn',
  paused: 'warn',
  limit: 'warn',
  failed: 'bad',
  rejected: 'bad',
  blocked: 'bad',
  active: 'live',
  running: 'live',
};

export function Badge({ word, text }: { readonly word: string; readonly text?: string }): VNode {
  return (
    <span class={`badge ${TONES[word] ?? 'calm'}`}>
      <i aria-hidden="true" />
      {text ?? word}
    </span>
  );
}

/** Text that an agent or a tool wrote. Never anything else than text. */
export const Said = ({ text }: { readonly text: string }): VNode => <span class="said">{plain(text)}</span>;

export function Figure(props: {
  readonly label: string;
  readonly href: string;
  readonly children: ComponentChildren;
  readonly note?: string;
}): VNode {
  return (
    <a class="figure" href={props.href}>
      <span class="label">{props.label}</span>
      <strong>{props.children}</strong>
      {props.note === undefined ? null : <small>{props.note}</small>}
    </a>
  );
}

export function Wrong({ error }: { readonly error: Refused | null }): VNode | null {
  if (error === null) return null;
  return (
    <p class="wrong" role="alert">
      {plain(error.message)} {error.hint === '' ? null : <code>{plain(error.hint)}</code>}
    </p>
  );
}

export const Empty = ({ children }: { readonly children: ComponentChildren }): VNode => <p class="empty">{children}</p>;

export const Loading = (): VNode => (
  <p class="empty" aria-busy="true">
    Loading…
  </p>
);

/** The time now, once a second, for what is under way. */
export function useNow(isLive: boolean): number {
  const [now, set] = useState(Date.now());
  useEffect(() => {
    if (!isLive) return undefined;
    const timer = setInterval(() => set(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isLive]);
  return now;
}

export const ItemLink = ({ id, title }: { readonly id: string; readonly title?: string }): VNode => (
  <a class="item-link" href={`#/items/${encodeURIComponent(id)}`}>
    <span class="id">#{plain(id)}</span>
    {title === undefined || title === '' ? null : <span class="title">{plain(title)}</span>}
  </a>
);

export const SessionLink = ({ session }: { readonly session: number }): VNode => (
  <a href={`#/sessions/${session}`}>session {session}</a>
);

/** Opens on demand: what is in it is asked for only then. */
export function Fold(props: {
  readonly summary: ComponentChildren;
  readonly open?: boolean;
  readonly children: () => ComponentChildren;
}): VNode {
  const [isOpen, set] = useState(props.open === true);
  return (
    <details open={isOpen} onToggle={(event) => set(event.currentTarget.open)}>
      <summary>{props.summary}</summary>
      {isOpen ? <div class="fold">{props.children()}</div> : null}
    </details>
  );
}

/** When, how it went, what happened, in which session. */
export const EventLine = ({
  event,
  line,
}: {
  readonly event: Pick<RunEvent, 'ts' | 'session'>;
  readonly line: NonNullable<ReturnType<typeof lineOf>>;
}): VNode => (
  <>
    <time>{clock(event.ts)}</time>
    <i class={`dot ${line.tone}`} aria-hidden="true" />
    <span class="title">{line.text}</span>
    {event.session === undefined ? null : (
      <a class="muted" href={`#/sessions/${event.session}`}>
        s{event.session}
      </a>
    )}
  </>
);
