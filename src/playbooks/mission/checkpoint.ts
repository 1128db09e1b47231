// The question at a checkpoint of a mission. Only a user's answer passes it, unless the configuration has a policy.
import type { GateSubject } from '../../model/gate.ts';

export const CHECKPOINT: GateSubject = { options: ['grant', 'stop'], recommended: 'grant', never: [] };
