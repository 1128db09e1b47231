// Signatures of the harness's commits on a branch, where `commit.gpgsign` asks for them. The programs that sign are the user's own configuration's,
// never the repository's. A key that needs a person (a passphrase, a touch) is found once: then commits are made without a signature.
import { ok, type Result } from '../model/result.ts';
import type { CacheKey } from './answer-cache.ts';
import type { Git } from './git.ts';
import { asPairs, readSettings, type Settings } from './settings.ts';

export type Signing = { readonly args: readonly string[]; readonly env: { readonly [name: string]: string } };
const UNSIGNED: Signing = { args: [], env: {} };

/** Whether a signature was possible without a person when it was tried. */
const CAN_SIGN: CacheKey<boolean> = { name: 'can-sign' };
/** A signature without a person takes a moment. */
const WALL_MS = 20_000;

const PROGRAMS: readonly (readonly [key: string, usual: string])[] = [
  ['gpg.program', 'gpg'],
  ['gpg.openpgp.program', 'gpg'],
  ['gpg.x509.program', 'gpgsm'],
  ['gpg.ssh.program', 'ssh-keygen'],
  ['gpg.ssh.defaultkeycommand', ''],
];
/** What leads to the user's keys. */
const PASSED_ON = ['GNUPGHOME', 'SSH_AUTH_SOCK', 'GPG_AGENT_INFO', 'XDG_RUNTIME_DIR'];

const isWanted = ({ own, repository }: Settings): boolean =>
  /^(?:true|yes|on|1)$/i.test(repository.get('commit.gpgsign') ?? own.get('commit.gpgsign') ?? '');

/** `needs-person`: signing is configured and cannot be done here. One commit object is tried. */
export async function trySigning(git: Git): Promise<Result<'off' | 'works' | 'needs-person'>> {
  const settings = await readSettings(git);
  if (!settings.ok) return settings;
  if (!isWanted(settings.value)) return ok('off');
  const known = git.memory.get(CAN_SIGN, '');
  if (known !== undefined) return ok(known ? 'works' : 'needs-person');
  const tree = await git.run(['mktree'], { stdin: '' });
  if (!tree.ok) return tree;
  const { args, env } = signingWith(git, settings.value);
  const tried = await git.run(['commit-tree', ...args, tree.value.trim(), '-m', 'whether it can be signed'], {
    env: { ...env, ...NOBODY },
    wallMs: WALL_MS,
  });
  git.memory.set(CAN_SIGN, '', tried.ok);
  return ok(tried.ok ? 'works' : 'needs-person');
}

/** How a commit on a branch is signed; without arguments where it is not. */
export async function signingOf(git: Git): Promise<Result<Signing>> {
  const can = await trySigning(git);
  if (!can.ok) return can;
  if (can.value !== 'works') return ok(UNSIGNED);
  const settings = await readSettings(git);
  return settings.ok ? ok(signingWith(git, settings.value)) : settings;
}

const NOBODY = {
  GIT_AUTHOR_NAME: 'harness',
  GIT_AUTHOR_EMAIL: 'harness@localhost',
  GIT_COMMITTER_NAME: 'harness',
  GIT_COMMITTER_EMAIL: 'harness@localhost',
};

function signingWith(git: Git, { own, repository }: Settings): Signing {
  const pairs: [string, string][] = PROGRAMS.map(([key, usual]) => [key, own.get(key) ?? usual]);
  for (const key of ['gpg.format', 'user.signingkey']) {
    const value = repository.get(key) ?? own.get(key);
    if (value !== undefined) pairs.push([key, value]);
  }
  const passed = Object.entries(git.userEnv).filter(([name]) => PASSED_ON.includes(name));
  return { args: ['-S'], env: { ...Object.fromEntries(passed), ...asPairs(pairs) } };
}
