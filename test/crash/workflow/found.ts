// The files of a run that begins in the middle, without a journal: the resume table decides (docs/workflow.md).
import { PATCH_FILE } from '../../../src/playbooks/workflow/table/rules.ts';
import type { StateFile } from '../../../src/playbooks/workflow/file/state.ts';
import { diffOf, DOCS, put } from './desk.ts';
import { PAPERS } from './plays.ts';
import { COMMIT, scenario, SPEC, type WorkflowScenario } from './scenario.ts';

const found = (
  name: string,
  phase: StateFile['phase'],
  papers: { readonly [path: string]: string },
  answers: readonly string[],
  more: {
    readonly fields?: Partial<StateFile>;
    readonly lands?: WorkflowScenario['lands'];
    readonly unproved?: true;
  } = {},
): WorkflowScenario =>
  scenario({
    ...more,
    name: `found: ${name}`,
    fields: { phase, ...more.fields },
    answers,
    hands(shop) {
      for (const [path, text] of Object.entries(papers)) put(shop, path, text);
    },
  });
const WRITTEN = { [`${DOCS}spec.md`]: PAPERS[`${DOCS}spec.md`] ?? '' };
const MIXED = { ...WRITTEN, [`${DOCS}changes.md`]: PAPERS[`${DOCS}changes.md`] ?? '', 'list.txt': 'mixed up\n' };
const FAILED = { ...MIXED, [`${DOCS}verify_report.md`]: 'FAIL\n' };
const REPORTED = { ...FAILED, [`${DOCS}qa_report.md`]: '# QA\n\n### Verdict: FAIL\n\n## Fix Instructions\n\n- sort\n' };
const FIX = {
  [PATCH_FILE]: `Confidence: High\n\n\`\`\`diff\n${diffOf('list.txt', 'mixed up', 'sorted')}\`\`\`\n`,
};
const afterFix = (applied: 'proposed' | 'stopped'): Partial<StateFile> => ({
  autofix: { last_patch_path: PATCH_FILE, applied, triggered_at: '2026-01-01T00:00:00.000Z' },
  verify: {
    layer1_result: 'FAIL',
    layer1_retries: 3,
    layer2_result: null,
    layer2_retries: 0,
    todo_blocking: false,
    autofix_attempted: applied !== 'proposed',
  },
});

export const FOUND: readonly WorkflowScenario[] = [
  found('a spec nobody has said anything to', 'plan_done', WRITTEN, [SPEC, COMMIT]),
  found('a report of work that is not good enough', 'evaluate_done', REPORTED, ['qa/fix', COMMIT], {
    fields: { round: 2, verify: { ...afterFix('proposed').verify, layer1_result: 'PASS' } },
  }),
  found('a fix that nobody has decided about', 'verify_done', { ...FAILED, ...FIX }, ['auto-fix/apply', COMMIT], {
    fields: afterFix('proposed'),
  }),
  found('a fix that did not help', 'verify_done', { ...FAILED, ...FIX }, ['verify/continue', COMMIT], {
    fields: afterFix('stopped'),
    lands: { 'list.txt': 'mixed up\n' },
    unproved: true,
  }),
];
