// The answers of roles that judged an item: those in an evidence bundle, and those on this machine of work that has not landed.
import { join } from 'node:path';
import { listFolder, readRegular } from '../../host/files.ts';
import { readCompetition, type KeptCompetition } from '../../model/competition.ts';
import { readReviewFile, REVIEW_FILE, type KeptReview } from '../../model/review.ts';
import { CHECKS } from '../../verify/manifest.ts';
import type { Checked } from './verify.ts';

/** A review is a few kilobytes. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Oldest first. */
export function reviewsIn({ bundle, manifest }: Checked): readonly KeptReview[] {
  const own = [...bundle.files].flatMap(([path, bytes]) => {
    if (!path.startsWith(`${CHECKS}/`) || !path.endsWith(`/${REVIEW_FILE}`) || bytes === null) return [];
    const review = readReviewFile(bytes.toString('utf8'));
    return review === null || review.item !== manifest.item ? [] : [review];
  });
  return own.toSorted(byTime);
}

/** Who attempted it, where several did; null: one. */
export function competitionIn({ bundle }: Checked): KeptCompetition | null {
  const found = [...bundle.files].find(([path]) => path.startsWith(`${CHECKS}/competition-`))?.[1] ?? null;
  return found === null ? null : readCompetition(found.toString('utf8'));
}

/** Of every item that was judged here, oldest first. `privateDir` null: there is no such folder. */
export function reviewsHere(privateDir: string | null): readonly KeptReview[] {
  if (privateDir === null) return [];
  const top = join(privateDir, 'evidence');
  const all = listFolder(top);
  if (!all.ok) return [];
  return all.value
    .flatMap(({ name, kind }) => {
      if (kind !== 'folder' || !name.startsWith('review-')) return [];
      const file = readRegular(join(top, name, REVIEW_FILE), MOST_BYTES);
      const review = file.kind === 'file' ? readReviewFile(file.bytes.toString('utf8')) : null;
      return review === null ? [] : [review];
    })
    .toSorted(byTime);
}

/** Those of the newest session that was judged. Numbers of sessions begin again where a user removed the state: what came before counts no more. */
export function newestOf(reviews: readonly KeptReview[]): readonly KeptReview[] {
  const ordered = reviews.toSorted(byTime);
  const last = ordered.at(-1);
  const before = ordered.findLastIndex(({ session }) => session !== last?.session);
  return ordered.slice(before + 1);
}

/** Those of a landing, and those on this machine that came after it. */
export function reviewsSince(bundled: readonly KeptReview[], here: readonly KeptReview[]): readonly KeptReview[] {
  const last = bundled.at(-1)?.at ?? '';
  return [...bundled, ...here.filter(({ at }) => at > last)];
}

const byTime = (a: KeptReview, b: KeptReview): number => a.at.localeCompare(b.at);
