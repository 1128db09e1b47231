// What the daemon shows of itself, as it wrote it last: for people and programs that ask. Nothing is decided by it.
import { join } from 'node:path';
import { readText } from '../../host/files.ts';
import { playbookNamed } from '../../playbooks/registry.ts';
import { asPlain, plainObject, textAt, type Plain } from '../open/loose-json.ts';
import type { ProjectView } from '../open/project-view.ts';

/** null: the playbook's list is worked on by no daemon, or none was started. */
export function daemonState({ playbook, stateDir }: Pick<ProjectView, 'playbook' | 'stateDir'>): Plain | null {
  if (playbookNamed(playbook).tick === undefined) return null;
  const text = readText(join(stateDir, 'state.json'));
  return plainObject(text.ok ? text.value : null);
}

export type DaemonWork =
  | { readonly is: 'at-work'; readonly kind: string; readonly plan: string; readonly run: string }
  /** `until` and `reason`: '' where it has none. */
  | { readonly is: 'waiting'; readonly why: string; readonly until: string; readonly reason: string };

/** What it does now; null: it is not known. */
export function workOf(state: Plain | null): DaemonWork | null {
  const [active, waiting] = [asPlain(state?.['active']), asPlain(state?.['waiting'])];
  const at = (map: Plain, name: string): string => textAt(map, name) ?? '';
  if (active !== null)
    return { is: 'at-work', kind: at(active, 'kind'), plan: at(active, 'plan'), run: at(active, 'run') };
  if (waiting === null) return null;
  return { is: 'waiting', why: at(waiting, 'why'), until: at(waiting, 'until'), reason: at(waiting, 'reason') };
}
