// Which level of the sandbox holds on this machine: found by running canaries in it, never by looking for programs.
import { randomUUID } from 'node:crypto';
import { targetStatsOf } from '../paths.ts';
import { checkEnvironment } from '../environment.ts';
import { openBox } from '../box.ts';
import { CANARIES, LEVEL_PROMISES, runCanaries, type CanaryResult } from './canary.ts';
import { findProgram, LEVELS, type BoxLevel } from './level.ts';
import { namespaceFacts, whyNoNamespaces, type NamespaceHindrance } from './namespaces.ts';
import { SRT_NEEDS } from './srt.ts';

/** Why a level does not hold, as a code that has a text in the catalogue. */
export type Hindrance =
  | 'bwrap-missing'
  | 'srt-missing'
  | 'socat-missing'
  | 'unshare-missing'
  | NamespaceHindrance
  | 'srt-ran-nothing'
  | 'network-stays-closed'
  | 'root-of-another-user'
  | 'canary-died';

export type LevelProbe = {
  readonly level: BoxLevel;
  readonly holds: boolean;
  /** Empty where nothing could be run. */
  readonly canaries: readonly CanaryResult[];
  /** Null where it holds. */
  readonly hindrance: Hindrance | null;
  /** The box's own error message; '' without one. */
  readonly words: string;
};

export type LevelChoice = {
  /** The level to use; null: none of those that were allowed holds. */
  readonly level: BoxLevel | null;
  /** What was tried, in order. */
  readonly probes: readonly LevelProbe[];
};

/** The network of tests and other checks. */
export type Network = 'closed' | 'open';

/** `auto`: the strongest level that holds, `none` in the end. A level by its name: that one or nothing. Takes tens of milliseconds. */
export async function chooseLevel(
  wanted: BoxLevel | 'auto',
  root: string,
  network: Network = 'closed',
): Promise<LevelChoice> {
  const probes: LevelProbe[] = [];
  for (const level of wanted === 'auto' ? LEVELS : [wanted]) {
    const probe = await probeLevel(level, root, network);
    probes.push(probe);
    if (probe.holds) return { level, probes };
  }
  return { level: null, probes };
}

/** `none` makes no promise that has to be tried. */
export async function probeLevel(level: BoxLevel, root: string, network: Network = 'closed'): Promise<LevelProbe> {
  if (level === 'none') return { level, holds: true, canaries: openCanaries(), hindrance: null, words: '' };
  const hindrance = hindranceBefore(level, root, network);
  if (hindrance !== null) return { level, holds: false, canaries: [], hindrance, words: '' };
  const token = `sandbox-probe-${process.pid}-${randomUUID()}`;
  const { canaries, words } = await runCanaries(
    level,
    root,
    (canaryRoot) => openBox({ root: canaryRoot, level, untrusted: [root] }),
    token,
  );
  const holds = canaries.every(({ ok, needed }) => ok || !needed);
  const ranNothing = level === 'srt' ? 'srt-ran-nothing' : whyNoNamespaces(namespaceFacts());
  return { level, holds, canaries, hindrance: holds ? null : words !== '' ? ranNothing : 'canary-died', words };
}

const openCanaries = (): readonly CanaryResult[] =>
  CANARIES.map((name) => ({
    name,
    ok: LEVEL_PROMISES.none.includes(name),
    needed: LEVEL_PROMISES.none.includes(name),
  }));

/** What is known before anything is run. */
function hindranceBefore(level: BoxLevel, root: string, network: Network): Hindrance | null {
  const settings = { root, untrusted: [], path: checkEnvironment()['PATH'] ?? '' };
  const missing = programsOf(level).find((name) => findProgram(name, settings) === null);
  if (missing !== undefined) return `${missing}-missing`;
  if (level === 'srt' && network === 'open') return 'network-stays-closed';
  return level !== 'pidns' && belongsToAnotherUser(root) ? 'root-of-another-user' : null;
}

const programsOf = (level: BoxLevel): readonly ('bwrap' | 'srt' | 'socat' | 'unshare')[] =>
  level === 'srt' ? SRT_NEEDS : level === 'bwrap' ? ['bwrap'] : ['unshare'];

/** Without its privileges root cannot write what belongs to another user: every command would fail in the box. */
function belongsToAnotherUser(root: string): boolean {
  return process.getuid?.() === 0 && targetStatsOf(root)?.uid !== 0;
}
