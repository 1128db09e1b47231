// The questions of the workflow (reference 004, AskUserQuestion): their options in the order they are shown, and which of them nothing
// but an answer of a person passes.

type Gate = {
  readonly header: string;
  /** Hard: it only waits. Soft: without anybody to ask, the recommended option is taken and recorded. */
  readonly isHard: boolean;
  readonly options: readonly string[];
  /** The first of these that is shown. */
  readonly recommended: readonly string[];
};

export const GATES = {
  // Step 1.5
  conventions: { header: 'Convention Scan', isHard: false, options: ['scan', 'skip'], recommended: ['scan'] },
  scan: { header: 'Convention Scan Failed', isHard: false, options: ['retry', 'skip'], recommended: ['retry', 'skip'] },
  // Steps 3, 5, 7, 8
  spec: { header: 'Spec', isHard: true, options: ['proceed', 'modify', 'stop'], recommended: ['proceed'] },
  verify: {
    header: 'Verify',
    isHard: true,
    options: ['auto-fix', 'continue', 'stop'],
    recommended: ['auto-fix', 'stop'],
  },
  'auto-fix': { header: 'Auto-fix', isHard: true, options: ['apply', 'reject', 'stop'], recommended: ['apply'] },
  qa: { header: 'QA', isHard: true, options: ['fix', 'accept'], recommended: ['fix', 'accept'] },
  commit: { header: 'Commit', isHard: true, options: ['code-only', 'all', 'none'], recommended: ['code-only'] },
} as const satisfies { readonly [name: string]: Gate };
export type GateName = keyof typeof GATES;

/** `spec: proceed`: how an answer is named among the events. */
export type AnswerName = { [G in GateName]: `${G}: ${(typeof GATES)[G]['options'][number]}` }[GateName];
export const answersOf = (gate: GateName): readonly AnswerName[] =>
  GATES[gate].options.map((option) => `${gate}: ${option}` as AnswerName);

/** How sure the auto-fix proposer says it is; Unknown where it does not say so in a way that can be read. */
export const CONFIDENCES = ['High', 'Medium', 'Low', 'Unknown'] as const;
export type Confidence = (typeof CONFIDENCES)[number];

/** A patch that nobody is sure of is not recommended: "review the diff carefully before applying". */
export function recommendedOf(gate: GateName, shown: readonly string[], confidence: Confidence): string {
  if (gate === 'auto-fix' && confidence !== 'High' && confidence !== 'Medium') return 'reject';
  return GATES[gate].recommended.find((option) => shown.includes(option)) ?? shown[0] ?? '';
}
