// A question to a person is data: user interfaces show it and answer it; the first answer wins.
import { z } from 'zod';
import type { Params } from './failure.ts';
import type { ItemId } from './item.ts';
import type { Problem } from './verdict.ts';

/** A question that can be asked. `never`: options that no timeout may choose, because they claim that a user looked. */
export type GateSubject = {
  /** In the order in which they are shown. */
  readonly options: readonly string[];
  readonly recommended: string;
  readonly never: readonly string[];
  /** If no user can be asked, the recommended option is taken and recorded. Left out: the question waits. */
  readonly isSoft?: true;
};
/** Questions of all machines; a playbook's own are in its manifest. */
export const SUBJECTS = {
  'feature-stuck': { options: ['split', 'manual', 'retry', 'skip', 'abort'], recommended: 'split', never: [] },
  'repeated-failures': { options: ['retry', 'skip', 'manual', 'abort'], recommended: 'manual', never: [] },
  'verification-failed': {
    options: ['retry', 'manual-verify', 'skip', 'abort'],
    recommended: 'retry',
    never: ['manual-verify'],
  },
  regression: { options: ['rollback', 'manual', 'abort'], recommended: 'rollback', never: [] },
  'sanity-failed': { options: ['retry', 'rollback', 'manual', 'abort'], recommended: 'retry', never: [] },
  'reset-failed': { options: ['manual', 'retry', 'abort'], recommended: 'manual', never: ['manual'] },
  'budget-exceeded': { options: ['increase', 'pause', 'abort'], recommended: 'pause', never: [] },
  'false-positives': { options: ['reset', 'investigate', 'abort'], recommended: 'reset', never: [] },
  'dependency-cycle': { options: ['edit', 'skip', 'abort'], recommended: 'edit', never: ['edit'] },
  'large-feature': { options: ['split', 'proceed', 'skip'], recommended: 'split', never: [] },
  'doubtful-proof': { options: ['land', 'reject'], recommended: 'reject', never: ['land'] },
  'landing-in-the-way': { options: ['retry', 'reject'], recommended: 'retry', never: [] },
  unproved: { options: ['land', 'reject', 'skip'], recommended: 'land', never: [] },
  'manual-verification': { options: ['verified', 'failed', 'skip'], recommended: 'verified', never: ['verified'] },
  'agent-unavailable': { options: ['retry', 'pause', 'abort'], recommended: 'retry', never: [] },
} as const satisfies { readonly [subject: string]: GateSubject };

type Asked = Pick<GateAsk, 'subject' | 'options' | 'recommended' | 'isSoft'>;
/** What every ask of this question has. */
export const askedAs = (subject: string, { options, recommended, isSoft }: GateSubject): Asked => ({
  subject,
  options: options.map((id) => (id === 'abort' ? { id, danger: true } : { id })),
  recommended,
  ...(isSoft === undefined ? {} : { isSoft }),
});
export const askedOf = (subject: keyof typeof SUBJECTS): Asked => askedAs(subject, SUBJECTS[subject]);

/** An escalation as an action; `about`: its own parameters. `item` null: it is about the run as a whole. */
export const escalation = (
  subject: keyof typeof SUBJECTS,
  key: string,
  item: ItemId | null,
  about: Pick<GateAsk, 'params'> & Partial<GateAsk>,
): { readonly kind: 'ask'; readonly key: string } & GateAsk => ({
  kind: 'ask',
  key,
  gate: 'escalation',
  ...askedOf(subject),
  item,
  evidence: [],
  ...about,
});

/** Configured answer of a question that no user answers; `answer` null: the question waits. */
export type GatePolicy = { readonly answer: string | null; readonly afterMs: number };

export type GateOption = { readonly id: string; readonly danger?: boolean };

/** A machine's question. The catalogue makes its text from `subject` and the option ids. */
export type GateAsk = {
  readonly gate: 'escalation' | 'checkpoint' | 'question';
  /** Names the sentence: `feature-stuck`, `large-feature`, `regression` … */
  readonly subject: string;
  readonly item: ItemId | null;
  readonly params: Params;
  /** What the question is about, one by one; shown below it. */
  readonly problems?: readonly Problem[];
  readonly options: readonly GateOption[];
  readonly recommended: string;
  /** If no user can be asked, the recommended option is taken and recorded. Left out: the question waits. */
  readonly isSoft?: true;
  readonly evidence: readonly string[];
  /** A text file of the work tree to read before answering, shown with the question. Left out: none. */
  readonly paper?: string;
};

export const gateAnswerSchema = z.object({ option: z.string(), note: z.string(), by: z.string(), at: z.string() });
export type GateAnswer = z.output<typeof gateAnswerSchema>;

/** The title of the item that a question is about; null: it is about none, or the title is not known. */
export function itemTitle(gate: Pick<Gate, 'item' | 'params'> & { readonly title?: string }): string | null {
  const title = gate.title ?? gate.params['title'];
  return gate.item === null || typeof title !== 'string' || title.trim() === '' ? null : title;
}

/** A question as stored. `epoch` ties it to the position that asked: after the position is lost, the answer no longer counts. */
export type Gate = GateAsk & {
  readonly schema: 1;
  readonly id: string;
  readonly key: string;
  readonly epoch: number;
  /** The linked work tree whose run asked; left out: the main one. */
  readonly workspace?: string;
  /** The last session that had begun when it was asked; left out by older versions. */
  readonly session?: number;
  /** Of its item, as the list gave it when it was asked; left out: it has none, or the list could not be read. Older versions have it in `params` only. */
  readonly title?: string;
  readonly since: string;
  /** `wait`: for a user, without limit · else the option that is taken at that time (ISO 8601) if there is no answer. */
  readonly policy: 'wait' | { readonly answer: string; readonly at: string };
};
