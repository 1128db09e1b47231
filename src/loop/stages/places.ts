// Which item has which work tree: one begins, waits for an answer, makes room for another, or comes back.
import type { LookOutcome, ParkAsk, UnparkAsk, WaitingItem } from '../../model/waiting-item.ts';
import { placeFor, type Lanes } from '../lanes.ts';
import { choose, end, type LoopState } from '../positions.ts';
import { waitingHere, type UnderWay } from '../run-file.ts';

export type Choose = Extract<LoopState['at'], { readonly stage: 'choose' }>;

/** The item has the work tree of its lane from now on. */
export function begun(s: LoopState, { item, session, resumes, lane }: Omit<UnderWay, 'n' | 'gate'>): LoopState {
  if (s.mem.paused) return end(s, 'paused', 'asked');
  const one = { item, lane, session, n: s.at.n, ...(resumes === undefined ? {} : { resumes }) };
  const others = s.file.running.filter((r) => r.item !== item);
  return { ...s, file: { ...s.file, running: [...others, one] }, at: { stage: 'work', n: s.at.n } };
}

/**
 * An item continues, unless another one waits in the work tree, which is parked first. One whose work counts no more is cleared away before;
 * one whose lane is at work continues later.
 */
export function looked(s: LoopState, { ready, over, isDueLater }: LookOutcome, lanes: Lanes): LoopState {
  if (s.at.stage !== 'choose') return s;
  const at = { ...s.at, looked: { isDueLater } };
  const here = waitingHere(s.file);
  const [gone] = over;
  if (gone !== undefined) {
    const isHere = here.some(({ resumes }) => resumes === gone);
    return { ...s, at: { ...at, up: { resumes: gone, to: 'attempt' }, ...(isHere ? { parks: gone } : {}) } };
  }
  const stays = here.find(({ resumes }) => ready.includes(resumes));
  if (stays !== undefined) return resumed(s, stays);
  for (const one of s.file.parked.filter(({ resumes }) => ready.includes(resumes))) {
    const place = placeFor(s.file, lanes, one.lane);
    if (place === 'busy') continue;
    const up = { resumes: one.resumes, to: 'work-tree' } as const;
    return 'lane' in place
      ? { ...s, at: { ...at, up: { ...up, lane: place.lane } } }
      : { ...s, at: { ...at, up: { ...up, lane: place.park.lane }, parks: place.park.resumes } };
  }
  return { ...s, at };
}

/** Where the run is about to end, its answer is found by the next one. */
function resumed(s: LoopState, one: WaitingItem): LoopState {
  const { item, lane, session, gate, resumes } = one;
  if (s.mem.paused || s.mem.exit !== undefined) {
    const others = s.file.running.filter((r) => r.item !== item);
    const held = { ...s, file: { ...s.file, running: [...others, { item, lane, session, gate, resumes }] } };
    return s.mem.paused ? end(held, 'paused', 'asked') : choose(held);
  }
  const counts = { ...s.file.counts, waiting: Math.max(0, s.file.counts.waiting - 1) };
  return begun({ ...s, file: { ...s.file, counts } }, { item, lane, session, resumes });
}

/** Its place in the work tree is free. */
export function parked(s: LoopState, { resumes }: ParkAsk): LoopState {
  const here = waitingHere(s.file).find((one) => one.resumes === resumes);
  if (here === undefined || s.at.stage !== 'choose') return s;
  const running = s.file.running.filter((one) => one.resumes !== resumes);
  const file = { ...s.file, running, parked: [...s.file.parked, here] };
  const { chosen, parks: _, ...at } = s.at;
  if (chosen === undefined) return { ...s, file, at };
  return s.mem.exit === undefined ? begun({ ...s, file }, { ...chosen, lane: here.lane }) : choose({ ...s, file });
}

export function unparked(s: LoopState, { to, lane = 0, ...one }: UnparkAsk): LoopState {
  const was = s.file.parked.find(({ resumes }) => resumes === one.resumes);
  const file = { ...s.file, parked: s.file.parked.filter(({ resumes }) => resumes !== one.resumes) };
  return to === 'work-tree' && was !== undefined ? resumed({ ...s, file }, { ...was, lane }) : choose({ ...s, file });
}
