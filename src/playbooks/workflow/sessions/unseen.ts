// What a session of the workflow must not see: it judges, or proposes, without the plan, the reasons and the reviews of the others. Pure.
import type { Unseen } from '../../../model/tools.ts';
import { assignmentsOf, type Assignment } from '../table/assignments.ts';
import type { WorkflowState } from '../file/state.ts';

const STATE = '.harness';
const PLANNER = `${STATE}/planner`;

/**
 * Undefined: everything may be seen. A judge sees of the state and of the task's documents only those that its brief names; an author sees
 * no other proposal, and a critic only the two that it criticises.
 */
export function unseenBy(
  { role, persona, output }: Assignment,
  state: Pick<WorkflowState, 'docs_path' | 'mode'>,
): Unseen | undefined {
  const { docs_path: docs, mode } = state;
  const own = output === '' ? [] : [output];
  const documents = [STATE, docs.replace(/\/+$/, '')];
  switch (role) {
    case 'evaluator':
      return { folders: documents, but: [`${docs}spec.md`, `${docs}verify_report.md`, ...own] };
    case 'verifier':
      return { folders: documents, but: [`${docs}verify_report.md`, ...own] };
    case 'architect':
    case 'senior-developer':
    case 'qa-specialist':
      return { folders: [PLANNER], but: own };
    case 'critic': {
      const others = assignmentsOf('propose', mode, docs).filter((one) => one.role !== persona);
      return { folders: [PLANNER], but: [...others.map((one) => one.output), ...own] };
    }
    default:
      return undefined;
  }
}
