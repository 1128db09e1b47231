// Opens the box for commands of the project: the configured level, checked against what works on this machine.
import { failure } from '../../model/failure.ts';
import { Bug } from '../../model/bug.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { openBox, type Box } from '../../host/box.ts';
import { NO_ENCLOSURE, type BoxLevel } from '../../host/sandbox/level.ts';
import { chooseLevel, type LevelProbe } from '../../host/sandbox/probe.ts';
import type { Target } from './target.ts';

/**
 * `no-box`: no command of the project runs. `box`: the strongest level that works; a level set by name must work.
 * `unattended`: for hours without a user watching: running without any box needs explicit consent.
 */
export type Need = 'no-box' | 'box' | 'unattended';

export type OpenBoxAt = (root: string, how: { readonly at: string; readonly shown: readonly string[] }) => Promise<Box>;

export type OpenSandbox = {
  readonly box: Box;
  /** A box of the same level over a folder of the harness, which commands find at the path of the work tree. */
  readonly boxAt: OpenBoxAt;
  /** The levels that were tried, strongest first; empty if no box was needed. */
  readonly probes: readonly LevelProbe[];
};

/** Fails with `sandbox-unusable` (the level set by name does not work) or `sandbox-missing` (`unattended`, and none works). */
export async function openSandbox(
  { root, privateDir, proofDir, config }: Pick<Target, 'root' | 'privateDir' | 'proofDir' | 'config'>,
  need: Need,
): Promise<Result<OpenSandbox>> {
  if (need === 'no-box') return ok({ box: NO_BOX, boxAt: () => Promise.resolve(NO_BOX), probes: [] });
  const wanted = config.sandbox.level;
  const { level, probes } = await chooseLevel(wanted, root, config.sandbox.network);
  const tried = probes[0];
  if (level === null)
    return err(
      failure('sandbox-unusable', { level: wanted, why: tried?.hindrance ?? 'canary-died', words: wordsOf(tried) }),
    );
  if (level === 'none' && wanted === 'auto' && need === 'unattended')
    return err(failure('sandbox-missing', { why: tried?.hindrance ?? 'canary-died', words: wordsOf(tried) }));
  return ok({ ...(await boxesOf({ root, privateDir, proofDir, config }, level)), probes });
}

/** Boxes of a level that is known to work. */
export async function boxesOf(
  { root, privateDir, proofDir, config }: Pick<Target, 'root' | 'privateDir' | 'proofDir' | 'config'>,
  level: BoxLevel,
): Promise<Omit<OpenSandbox, 'probes'>> {
  const box = await openBox({
    root,
    level,
    hidden: [privateDir, proofDir],
    untrusted: [root],
    sockets: config.sandbox.sockets,
  });
  const boxAt: OpenBoxAt = (folder, how) =>
    openBox({ root: folder, level, ...how, hidden: [proofDir], untrusted: [root, proofDir] });
  return { box, boxAt };
}

/** The box's own error message, or the names of the failed canaries. */
function wordsOf(probe: LevelProbe | undefined): string {
  if (probe === undefined || probe.words !== '') return probe?.words ?? '';
  return probe.canaries
    .filter(({ ok, needed }) => needed && !ok)
    .map(({ name }) => name)
    .join(', ');
}

const NO_BOX: Box = {
  level: 'none',
  seenAt: '',
  temporary: '',
  run: () => Promise.reject(new Bug('no box was opened for this command')),
  enclose: () => NO_ENCLOSURE,
  close: () => Promise.resolve(),
};
