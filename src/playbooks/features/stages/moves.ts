// The words in which the rows of the features machine are written: its state, where it goes, how it ends.
import type { ItemInput } from '../../../engine/playbook.ts';
import type { Machine, State } from '../../../engine/types.ts';
import type { Actions } from '../../../model/action.ts';
import type { Config } from '../../../model/config.ts';
import type { At, Mem } from '../positions.ts';
import type { Ended, Session } from '../../session/facts.ts';
import { go, outcomeOf } from '../../session/rows.ts';
import type { SessionState } from '../../session/session-state.ts';

export type S = State<SessionState, At, Mem>;
export type Stages = Machine<SessionState, At, Mem, Actions>['stages'];
/** What every row may know: the item, its session, the configuration. */
export type Given = { readonly input: ItemInput; readonly config: Config };

export const end = (s: S, outcome: Parameters<typeof outcomeOf>[0]): S =>
  go(s, { stage: 'ended', outcome: outcomeOf(outcome) });

export const NO_FAULT = { problems: [], regressions: [], evidence: null, failure: null };
export const sessionOf = ({ facts, checkpoint, startedAt }: Session): Session => ({ facts, checkpoint, startedAt });
export const endedOf = ({ facts, checkpoint, startedAt, text, endedAt }: Ended): Ended => ({
  facts,
  checkpoint,
  startedAt,
  text,
  endedAt,
});
