// Where roles come from: the ones that ship with the harness, and a target repository's own versions of them.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import { parseRole, type Role } from './role.ts';

/**
 * The folder of a target repository's own roles, repository-relative: `<playbook>/<role>.md` in it. It is beside
 * `.harness.yaml` and not in `.harness/`, because that folder ignores itself: its files are in no commit, and own
 * roles are read from the last accepted commit only, which no agent of this run can change.
 */
const OWN_ROLES = '.harness-prompts';

/** Where a target repository keeps its own version of a role. */
export const ownRole = (playbook: string, role: string): string => `${OWN_ROLES}/${playbook}/${role}.md`;

export type Roles = {
  /** Fails with `role-missing` and `role-invalid`. A broken own role is an error, never silently the shipped one. */
  load(playbook: string, role: string): Promise<Result<Role>>;
};

export function openRoles(from: {
  /** Absolute path of the folder `prompts/` of this installation. */
  readonly shipped: string;
  /** Text of a repository-relative path as of the last accepted commit; null if there is none. */
  readonly own: (path: string) => Promise<string | null>;
}): Roles {
  return {
    async load(playbook, role) {
      const name = `${playbook}/${role}.md`;
      const file = join(from.shipped, name);
      const text = [playbook, role].every((part) => /^[a-z][a-z0-9-]*$/.test(part)) ? await textOf(file) : null;
      if (text === null) return err(failure('role-missing', { playbook, role, file }));
      const shipped = parseRole(text, { playbook, role, file });
      if (!shipped.ok) return shipped;
      const path = ownRole(playbook, role);
      const own = await from.own(path);
      return own === null ? ok(shipped.value) : parseRole(own, { playbook, role, file: path }, shipped.value);
    },
  };
}

async function textOf(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
