// From a claim to its last verdict: the assertion, the item, its test, the commit that landed it, what was judged, and whether the code that the
// verdict rests on is still the same. Only git objects, the list and files of the private folder are read.
import type { Claim } from '../../engine/backlog.ts';
import type { Item, Subject } from '../../model/item.ts';
import type { KeptReview } from '../../model/review.ts';
import type { ItemEvidence } from './item-evidence.ts';
import { newestOf } from './reviews.ts';

/** holds: proved, and nothing that it rests on has changed · void: it has · failing: the last verdict is against it · unproved: nothing proves it. */
export const TRACE_STATES = ['holds', 'void', 'failing', 'unproved'] as const;
export type TraceState = (typeof TRACE_STATES)[number];

/** Why a claim does not hold; '' where it does. */
export const TRACE_REASONS = [
  '',
  'changed',
  'judged-against',
  'found-failing',
  'no-item',
  'no-assertion',
  'not-landed',
  'not-judged',
  'by-person',
  'skipped',
  'no-evidence',
  'evidence-broken',
] as const;
type TraceReason = (typeof TRACE_REASONS)[number];

export type TracedVerdict = {
  readonly result: 'pass' | 'fail' | 'unclear';
  /** Who judged: roles with their sessions, or the harness itself. */
  readonly by: readonly { readonly role: string; readonly session: number }[];
  /** ISO 8601. */
  readonly at: string;
  readonly tree: string;
  readonly path: string;
  readonly quote: string;
  readonly why: string;
};
export type Traced = {
  readonly claim: Claim | null;
  readonly item: Pick<Item, 'id' | 'title' | 'status'> | null;
  readonly test: string | null;
  readonly commit: string | null;
  readonly verdict: TracedVerdict | null;
  readonly state: TraceState;
  readonly reason: TraceReason;
  /** What it rests on and has changed since. */
  readonly changed: readonly string[];
};
type Of = {
  readonly item: Pick<Item, 'id' | 'title' | 'status'>;
  readonly subject: Subject | null;
  readonly evidence: ItemEvidence;
  /** Of the item, those on this machine too. */
  readonly reviews: readonly KeptReview[];
  /** The id of a file in HEAD; null: there is none. */
  readonly idNow: (path: string) => string | null;
};

/** `claim` null: its list has no claims, and the proof of the harness is all there is. */
export function traced(claim: Claim | null, of: Of): Traced {
  const { item, subject, evidence } = of;
  const head = { claim, item, test: subject?.testFile ?? null, commit: evidence.commit };
  const verdict = claim === null ? proofOf(evidence) : verdictOn(claim.id, newestOf(of.reviews));
  const none = { ...head, verdict, changed: [] };
  const unproved = (reason: TraceReason): Traced => ({ ...none, state: 'unproved', reason });
  if (claim !== null && claim.assertion === null) return unproved('no-assertion');
  if (subject?.failing || subject?.override?.passes === false)
    return { ...none, state: 'failing', reason: 'found-failing' };
  if (verdict !== null && verdict.result !== 'pass') return { ...none, state: 'failing', reason: 'judged-against' };
  if (subject?.skipped) return unproved('skipped');
  if (evidence.is === 'none') return unproved(subject?.override?.passes === true ? 'by-person' : 'not-landed');
  // A commit landed it, and the list does not have it as done any more.
  if (subject?.passes === false) return unproved('not-landed');
  if (evidence.is !== 'here') return unproved(evidence.is);
  if (verdict === null) return unproved('not-judged');
  const changed = claim === null ? changedSince(evidence.rests, of.idNow) : changedUnder(claim, of, evidence);
  return changed.length === 0
    ? { ...none, state: 'holds', reason: '' }
    : { ...none, state: 'void', reason: 'changed', changed };
}

export const untraced = (claim: Claim): Traced => ({
  claim,
  item: null,
  test: null,
  commit: null,
  verdict: null,
  state: 'unproved',
  reason: 'no-item',
  changed: [],
});

const proofOf = (evidence: ItemEvidence): TracedVerdict | null =>
  evidence.is !== 'here'
    ? null
    : {
        result: evidence.holds ? 'pass' : 'fail',
        by: [{ role: 'harness', session: evidence.session }],
        at: evidence.at,
        tree: evidence.tree,
        path: '',
        quote: '',
        why: '',
      };

/** Several roles may judge one session: the worst word counts. null: none of them judged it. */
function verdictOn(claim: string, reviews: readonly KeptReview[]): TracedVerdict | null {
  const said = reviews.flatMap((review) => {
    const all = review.assertions.filter(({ id }) => id === claim);
    const one =
      all.find(({ verdict }) => verdict === 'fail') ?? all.find(({ verdict }) => verdict === 'unclear') ?? all[0];
    if (one !== undefined) return [{ review, one }];
    // Asked, and not answered: nothing passes by silence.
    const isAsked = review.claims.some(({ id }) => id === claim);
    return isAsked
      ? [{ review, one: { id: claim, verdict: 'fail', path: '', quote: '', why: '', found: false } as const }]
      : [];
  });
  const worst =
    said.find(({ one }) => wordOf(one) === 'fail') ?? said.find(({ one }) => wordOf(one) === 'unclear') ?? said[0];
  if (worst === undefined) return null;
  const { review, one } = worst;
  return {
    result: wordOf(one),
    by: said.map(({ review: { role, by } }) => ({ role, session: by })),
    at: review.at,
    tree: review.tree,
    path: one.path,
    quote: one.quote,
    why: one.why,
  };
}

/** A pass whose quote is not there is none. */
const wordOf = (one: KeptReview['assertions'][number]): TracedVerdict['result'] =>
  one.verdict === 'pass' && !one.found ? 'fail' : one.verdict;

const changedSince = (rests: readonly { readonly path: string; readonly id: string | null }[], idNow: Of['idNow']) =>
  rests.flatMap(({ path, id }) => (idNow(path) === id ? [] : [path]));

/** Files that are not as they were judged, and the contract where the assertion itself reads differently now. */
function changedUnder(claim: Claim, { reviews, idNow }: Of, { rests, landed }: Extract<ItemEvidence, { is: 'here' }>) {
  const judged = newestOf(reviews);
  // What git stores in another form than it was judged in is compared as it landed.
  const files =
    landed === null ? judged.flatMap((review) => review.files) : [...rests, ...quotedAsLanded(judged, landed)];
  const reads = judged.flatMap((review) => review.claims.filter(({ id }) => id === claim.id));
  const isReworded = reads.some(({ text }) => text !== claim.assertion?.text);
  const paths = changedSince(files, idNow);
  return [...new Set([...paths, ...(isReworded && claim.assertion !== null ? [claim.assertion.file] : [])])].toSorted();
}

const quotedAsLanded = (judged: readonly KeptReview[], landed: ReadonlyMap<string, string>) =>
  judged.flatMap(({ files }) => files.map(({ path }) => ({ path, id: landed.get(path) ?? null })));
