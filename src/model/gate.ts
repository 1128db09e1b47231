// A question to a person is data: every face only shows it and answers it, the first answer wins.
import { z } from 'zod';
import type { Params } from './failure.ts';
import type { ItemId } from './item.ts';
import type { Problem } from './verdict.ts';

/** A question that can be asked. `never`: options that no time-out may choose, because they say that a person looked. */
export type GateSubject = {
  /** In the order in which they are shown. */
  readonly options: readonly string[];
  readonly recommended: string;
  readonly never: readonly string[];
  /** Where nobody can be asked, the recommended option is taken and recorded. Left out: the question waits. */
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

/** What every escalation says, as an action; `about` has what is its own. `item` null: it is about the run as a whole. */
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

/** What a configuration may say of a question that nobody answers; `answer` null: it is asked, and waits. */
export type GatePolicy = { readonly answer: string | null; readonly afterMs: number };

export type GateOption = { readonly id: string; readonly danger?: boolean };

/** What a machine asks. Words are made from `subject` and the option ids in the catalogue. */
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
  /** Where nobody can be asked, the recommended option is taken and recorded. Left out: the question waits. */
  readonly isSoft?: true;
  readonly evidence: readonly string[];
  /** A text file of the work tree that a person reads before the answer: it is shown with the question. Left out: none. */
  readonly paper?: string;
};

export const gateAnswerSchema = z.object({ option: z.string(), note: z.string(), by: z.string(), at: z.string() });
export type GateAnswer = z.output<typeof gateAnswerSchema>;

/** A question as stored. `epoch` ties it to the life of the position that asked (engine.md, truth and crashes 8). */
export type Gate = GateAsk & {
  readonly schema: 1;
  readonly id: string;
  readonly key: string;
  readonly epoch: number;
  readonly since: string;
  /** `wait`: for a person, however long · else the option that is taken at that time (ISO 8601) where nobody has answered. */
  readonly policy: 'wait' | { readonly answer: string; readonly at: string };
};
