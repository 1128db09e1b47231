// What a prompt of the workflow is made of (reference 004, the variables of each dispatch). Paths and facts; the briefs read the files.
import type { Role } from '../table/roles.ts';
import type { Persona } from '../table/sessions.ts';
import type { WorkflowState } from '../file/state.ts';

export type BriefInput = {
  readonly role: Role;
  /** On whose behalf a critic speaks; null: on nobody's. */
  readonly persona: Persona | null;
  /** The file that must exist afterwards. */
  readonly output: string;
  readonly state: WorkflowState;
  /** A generator that is sent again: the one line of what failed, and the report that has the rest. null: it is not. */
  readonly retry: { readonly line: string; readonly report: string } | null;
  /** What a person wants changed in the spec; '': nothing. */
  readonly note: string;
  /** Files that fail, judged by the path validator: for the auto-fix proposer alone. */
  readonly files: readonly string[];
};
