// A question to a person is data: every face only shows it and answers it, the first answer wins.
import type { Params } from './failure.ts';
import type { ItemId } from './item.ts';
import type { Problem } from './verdict.ts';

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
  readonly evidence: readonly string[];
};

export type GateAnswer = { readonly option: string; readonly note: string; readonly by: string; readonly at: string };

/** A question as stored. `epoch` ties it to the life of the position that asked (engine.md, truth and crashes 8). */
export type Gate = GateAsk & {
  readonly schema: 1;
  readonly id: string;
  readonly key: string;
  readonly epoch: number;
  readonly since: string;
  readonly policy: 'wait';
};
