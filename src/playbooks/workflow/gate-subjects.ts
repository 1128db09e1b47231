// The questions of the workflow as the configuration sees them (`gates.policies`): five that only a user passes, two that anything may.
import type { GateSubject } from '../../model/gate.ts';

export const GATE_SUBJECTS: { readonly [subject: string]: GateSubject } = {
  'workflow-conventions': { options: ['scan', 'skip'], recommended: 'scan', never: [], isSoft: true },
  'workflow-scan': { options: ['retry', 'skip'], recommended: 'retry', never: [], isSoft: true },
  'workflow-spec': {
    options: ['proceed', 'modify', 'stop'],
    recommended: 'proceed',
    never: ['proceed', 'modify', 'stop'],
  },
  'workflow-verify': {
    options: ['auto-fix', 'continue', 'stop'],
    recommended: 'auto-fix',
    never: ['auto-fix', 'continue', 'stop'],
  },
  'workflow-auto-fix': {
    options: ['apply', 'reject', 'stop'],
    recommended: 'apply',
    never: ['apply', 'reject', 'stop'],
  },
  'workflow-qa': { options: ['fix', 'accept'], recommended: 'fix', never: ['fix', 'accept'] },
  'workflow-commit': {
    options: ['code-only', 'all', 'none'],
    recommended: 'code-only',
    never: ['code-only', 'all', 'none'],
  },
};
