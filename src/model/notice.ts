// A message to a person who is not there: what happened, and the command that answers it.
import type { ItemId } from './item.ts';

export const NOTICE_KINDS = ['gate', 'stuck', 'done', 'budget', 'login'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** The ways on which a notice leaves the machine, as the configuration names them. */
export const CHANNELS = ['command', 'webhook', 'ntfy', 'slack', 'desktop'] as const;
export type Channel = (typeof CHANNELS)[number];

export type Notice = {
  /** The same for every time it is sent: a receiver can drop a second copy. */
  readonly token: string;
  readonly kind: NoticeKind;
  readonly project: string;
  readonly run: string;
  readonly item: ItemId | null;
  readonly title: string;
  readonly text: string;
  /** What to type. */
  readonly command: string;
  readonly at: string;
};
