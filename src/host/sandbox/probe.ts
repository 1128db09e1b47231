// Which level of the sandbox ladder really holds on this machine: found by running canaries, never by looking for programs.
import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { checkEnvironment } from '../environment.ts';
import { openBox } from '../box.ts';
import { CANARIES, LEVEL_PROMISES, singCanaries, type Canary } from './canary.ts';
import { findProgram, LEVELS, type BoxLevel } from './level.ts';
import { SRT_NEEDS } from './srt.ts';

/** Why a level does not hold, as a code of the catalogue's words. */
export type Hindrance =
  | 'bwrap-missing'
  | 'srt-missing'
  | 'socat-missing'
  | 'unshare-missing'
  | 'namespaces-forbidden'
  | 'srt-ran-nothing'
  | 'network-stays-closed'
  | 'root-of-another-user'
  | 'canary-died';

export type Probe = {
  readonly level: BoxLevel;
  readonly holds: boolean;
  /** Empty where nothing could be run. */
  readonly canaries: readonly Canary[];
  /** Null where it holds. */
  readonly hindrance: Hindrance | null;
  /** The box's own complaint; '' without one. */
  readonly words: string;
};

export type Chosen = {
  /** The level that is used; null: none of those that were allowed holds. */
  readonly level: BoxLevel | null;
  readonly probes: readonly Probe[];
};

/** Of tests and other checks. */
export type Network = 'closed' | 'open';

/** `auto`: the strongest that holds, `none` at the last. A level by its name: that one or nothing. Costs tens of ms. */
export async function chooseLevel(
  wanted: BoxLevel | 'auto',
  root: string,
  network: Network = 'closed',
): Promise<Chosen> {
  const probes: Probe[] = [];
  for (const level of wanted === 'auto' ? LEVELS : [wanted]) {
    const probe = await probeLevel(level, root, network);
    probes.push(probe);
    if (probe.holds) return { level, probes };
  }
  return { level: null, probes };
}

/** `none` promises nothing, so nothing of it is tried. */
export async function probeLevel(level: BoxLevel, root: string, network: Network = 'closed'): Promise<Probe> {
  if (level === 'none') return { level, holds: true, canaries: openCanaries(), hindrance: null, words: '' };
  const hindrance = hindranceBefore(level, root, network);
  if (hindrance !== null) return { level, holds: false, canaries: [], hindrance, words: '' };
  const token = `sandbox-probe-${process.pid}-${randomUUID()}`;
  const { canaries, words } = await singCanaries(
    level,
    root,
    (canaryRoot) => openBox({ root: canaryRoot, level, untrusted: [root] }),
    token,
  );
  const holds = canaries.every(({ ok, needed }) => ok || !needed);
  const ranNothing = level === 'srt' ? 'srt-ran-nothing' : 'namespaces-forbidden';
  return { level, holds, canaries, hindrance: holds ? null : words !== '' ? ranNothing : 'canary-died', words };
}

const openCanaries = (): readonly Canary[] =>
  CANARIES.map((name) => ({
    name,
    ok: LEVEL_PROMISES.none.includes(name),
    needed: LEVEL_PROMISES.none.includes(name),
  }));

/** What is known before anything is run. */
function hindranceBefore(level: BoxLevel, root: string, network: Network): Hindrance | null {
  const place = { root, untrusted: [], path: checkEnvironment()['PATH'] ?? '' };
  const missing = programsOf(level).find((name) => findProgram(name, place) === null);
  if (missing !== undefined) return `${missing}-missing`;
  if (level === 'srt' && network === 'open') return 'network-stays-closed';
  return level !== 'pidns' && isOfAnother(root) ? 'root-of-another-user' : null;
}

const programsOf = (level: BoxLevel): readonly ('bwrap' | 'srt' | 'socat' | 'unshare')[] =>
  level === 'srt' ? SRT_NEEDS : level === 'bwrap' ? ['bwrap'] : ['unshare'];

/** Root without its privileges writes nothing that belongs to somebody else: every command would fail in the box. */
function isOfAnother(root: string): boolean {
  return process.getuid?.() === 0 && statSync(root, { throwIfNoEntry: false })?.uid !== 0;
}
