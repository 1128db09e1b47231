// Which level of the sandbox ladder really holds on this machine: found by running canaries, never by looking for programs.
import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { checkEnvironment } from '../environment.ts';
import { openBox } from '../box.ts';
import { CANARIES, LEVEL_PROMISES, singCanaries, type Canary } from './canary.ts';
import { findProgram, LEVELS, type BoxLevel } from './level.ts';

/** Why a level does not hold, as a code of the catalogue's words. */
export type Hindrance =
  | 'bwrap-missing'
  | 'unshare-missing'
  | 'namespaces-forbidden'
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

/** `auto`: the strongest that holds, `none` at the last. A level by its name: that one or nothing. Costs tens of ms. */
export async function chooseLevel(wanted: BoxLevel | 'auto', root: string): Promise<Chosen> {
  const probes: Probe[] = [];
  for (const level of wanted === 'auto' ? LEVELS : [wanted]) {
    const probe = await probeLevel(level, root);
    probes.push(probe);
    if (probe.holds) return { level, probes };
  }
  return { level: null, probes };
}

/** `none` promises nothing, so nothing of it is tried. */
export async function probeLevel(level: BoxLevel, root: string): Promise<Probe> {
  if (level === 'none') return { level, holds: true, canaries: openCanaries(), hindrance: null, words: '' };
  const missing = missingProgram(level, root);
  if (missing !== null) return { level, holds: false, canaries: [], hindrance: missing, words: '' };
  if (level === 'bwrap' && isOfAnother(root))
    return { level, holds: false, canaries: [], hindrance: 'root-of-another-user', words: '' };
  const token = `sandbox-probe-${process.pid}-${randomUUID()}`;
  const { canaries, words } = await singCanaries(
    level,
    (canaryRoot) => openBox({ root: canaryRoot, level, untrusted: [root] }),
    token,
  );
  const holds = canaries.every(({ ok, needed }) => ok || !needed);
  const isForbidden = words !== '';
  return {
    level,
    holds,
    canaries,
    hindrance: holds ? null : isForbidden ? 'namespaces-forbidden' : 'canary-died',
    words,
  };
}

const openCanaries = (): readonly Canary[] =>
  CANARIES.map((name) => ({
    name,
    ok: LEVEL_PROMISES.none.includes(name),
    needed: LEVEL_PROMISES.none.includes(name),
  }));

function missingProgram(level: BoxLevel, root: string): Hindrance | null {
  const place = { root, untrusted: [], path: checkEnvironment()['PATH'] ?? '' };
  if (level === 'bwrap') return findProgram('bwrap', place) === null ? 'bwrap-missing' : null;
  return findProgram('unshare', place) === null ? 'unshare-missing' : null;
}

/** Root without its privileges writes nothing that belongs to somebody else: every command would fail in the box. */
function isOfAnother(root: string): boolean {
  return process.getuid?.() === 0 && statSync(root, { throwIfNoEntry: false })?.uid !== 0;
}
