// The questions of a mission. A checkpoint asks for approval, and only a user's answer passes it, unless the configuration has a policy. An
// assertion that is unclear asks for a decision: no time-out makes it.
import type { GateSubject } from '../../model/gate.ts';

export const CHECKPOINT: GateSubject = { options: ['grant', 'stop'], recommended: 'grant', never: [] };
/** An assertion can be read in two ways, and the architect has not settled it. */
export const UNCLEAR: GateSubject = { options: ['decide', 'skip'], recommended: 'decide', never: ['decide'] };
