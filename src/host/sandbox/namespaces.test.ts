// The cause that is named when a box cannot be made, by what systems show.
import { expect, test } from 'vitest';
import { whyNoNamespaces, type NamespaceFacts } from './namespaces.ts';

const OPEN: NamespaceFacts = {
  apparmorRestricts: '',
  unprivilegedClone: '',
  mostUserNamespaces: '96365',
  isContainer: false,
  isRoot: false,
};

test.each<readonly [what: string, facts: Partial<NamespaceFacts>, named: string]>([
  ['Ubuntu from 24.04 on', { apparmorRestricts: '1' }, 'apparmor-forbids'],
  ['Ubuntu after the setting was changed', { apparmorRestricts: '0' }, 'namespaces-forbidden'],
  ['a Debian with namespaces for root only', { unprivilegedClone: '0' }, 'userns-off'],
  ['a system without user namespaces', { mostUserNamespaces: '0', isRoot: true }, 'userns-off'],
  ['a container on such an Ubuntu', { isContainer: true, apparmorRestricts: '1' }, 'container-forbids'],
  ['root, whom neither setting concerns', { isRoot: true, apparmorRestricts: '1' }, 'namespaces-forbidden'],
  ['a system that shows nothing', { mostUserNamespaces: '' }, 'namespaces-forbidden'],
])('%s', (_, facts, named) => {
  expect(whyNoNamespaces({ ...OPEN, ...facts })).toBe(named);
});
