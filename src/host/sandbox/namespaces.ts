// Why a system lets an ordinary user make no namespaces, as far as it says so: each cause has a line that helps (src/host/sentences).
import { existsSync } from 'node:fs';
import { textOrEmpty } from '../files.ts';

export type NamespaceHindrance = 'namespaces-forbidden' | 'apparmor-forbids' | 'userns-off' | 'container-forbids';

/** Settings as the kernel shows them; '' where it has none of the name. */
export type NamespaceFacts = {
  readonly apparmorRestricts: string;
  readonly unprivilegedClone: string;
  readonly mostUserNamespaces: string;
  readonly isContainer: boolean;
  readonly isRoot: boolean;
};

const setting = (name: string): string => textOrEmpty(`/proc/sys/${name}`).trim();

export const namespaceFacts = (): NamespaceFacts => ({
  apparmorRestricts: setting('kernel/apparmor_restrict_unprivileged_userns'),
  unprivilegedClone: setting('kernel/unprivileged_userns_clone'),
  mostUserNamespaces: setting('user/max_user_namespaces'),
  isContainer: existsSync('/.dockerenv') || existsSync('/run/.containerenv'),
  isRoot: process.getuid?.() === 0,
});

/** For a box that could not be made. A container comes first: settings of its machine are seen in it, and its own rules forbid more. */
export function whyNoNamespaces(facts: NamespaceFacts): NamespaceHindrance {
  if (facts.isContainer) return 'container-forbids';
  if (facts.mostUserNamespaces === '0') return 'userns-off';
  if (facts.isRoot) return 'namespaces-forbidden';
  if (facts.unprivilegedClone === '0') return 'userns-off';
  return facts.apparmorRestricts === '1' ? 'apparmor-forbids' : 'namespaces-forbidden';
}
