// The questions of the workflow: their options in the order in which they are shown, and which questions only a user's answer passes.
import type { GateSubject } from '../../../model/gate.ts';

type Gate = {
  readonly header: string;
  /** A hard gate waits for the user. At a soft gate the recommended option is taken and recorded if the user cannot be asked. */
  readonly isHard: boolean;
  readonly options: readonly string[];
  /** The first of these that is shown. */
  readonly recommended: readonly string[];
};

export const GATES = {
  conventions: { header: 'Convention Scan', isHard: false, options: ['scan', 'skip'], recommended: ['scan'] },
  scan: { header: 'Convention Scan Failed', isHard: false, options: ['retry', 'skip'], recommended: ['retry', 'skip'] },
  spec: { header: 'Spec', isHard: true, options: ['proceed', 'modify', 'stop'], recommended: ['proceed'] },
  verify: {
    header: 'Verify',
    isHard: true,
    options: ['auto-fix', 'continue', 'stop'],
    recommended: ['auto-fix', 'stop'],
  },
  'auto-fix': { header: 'Auto-fix', isHard: true, options: ['apply', 'reject', 'stop'], recommended: ['apply'] },
  // `stop` where no round is left for a fix: a question has two options or more.
  qa: { header: 'QA', isHard: true, options: ['fix', 'accept', 'stop'], recommended: ['fix', 'stop'] },
  commit: { header: 'Commit', isHard: true, options: ['code-only', 'all', 'none'], recommended: ['code-only'] },
} as const satisfies { readonly [name: string]: Gate };
export type GateName = keyof typeof GATES;

/** The same for `gates.policies` of the configuration: no time-out may answer a hard gate. */
export const GATE_SUBJECTS: { readonly [subject: string]: GateSubject } = Object.fromEntries(
  Object.entries<Gate>(GATES).map(([name, gate]) => [`workflow-${name}`, subjectOf(gate)]),
);
function subjectOf({ isHard, options, recommended }: Gate): GateSubject {
  const subject = { options, recommended: recommended[0] ?? '', never: isHard ? options : [] };
  return isHard ? subject : { ...subject, isSoft: true };
}

/** The event of an answer: `spec: proceed`. */
export type AnswerName = { [G in GateName]: `${G}: ${(typeof GATES)[G]['options'][number]}` }[GateName];

const namesIn = (gate: string, { options }: Gate): readonly string[] => options.map((option) => `${gate}: ${option}`);
const ANSWERS: ReadonlySet<string> = new Set(
  Object.entries<Gate>(GATES).flatMap(([name, gate]) => namesIn(name, gate)),
);
const isAnswer = (name: string): name is AnswerName => ANSWERS.has(name);
export const answersOf = (gate: GateName): readonly AnswerName[] => namesIn(gate, GATES[gate]).filter(isAnswer);
export const optionOf = (answer: AnswerName): string => answer.slice(answer.indexOf(': ') + 2);

/** How sure the auto-fix proposer says it is. Unknown: its answer does not say it in a form that can be read. */
export const CONFIDENCES = ['High', 'Medium', 'Low', 'Unknown'] as const;
export type Confidence = (typeof CONFIDENCES)[number];

/** A patch of low or unknown confidence is not recommended. */
export function recommendedOf(gate: GateName, shown: readonly string[], confidence: Confidence): string {
  if (gate === 'auto-fix' && confidence !== 'High' && confidence !== 'Medium') return 'reject';
  return GATES[gate].recommended.find((option) => shown.includes(option)) ?? shown[0] ?? '';
}
