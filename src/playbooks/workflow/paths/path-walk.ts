// Where a path leads, from facts about a file system and nothing else: links are followed as the kernel does, component by component. A fact
// that is missing ends the walk and is named, so that the caller can add it and walk again.
import type { PathFact } from '../../../model/path-fact.ts';

/** What each path is, relative to the root and without links: `a`, `a/b`. */
export type PathFacts = Pick<ReadonlyMap<string, PathFact>, 'get'>;

export type Walk = {
  /** The path without links, as far as it was followed. */
  readonly real: string;
  /** What the path itself is, without following a link in its last component. null: unknown, or it is the root. */
  readonly itself: PathFact | null;
  /** What is at the end; null: unknown. */
  readonly end: PathFact | null;
  /** The first link on the way, including the path itself. */
  readonly link: string | null;
  /** The first name on the way that exists in another spelling. */
  readonly alike: string | null;
  /** Why it ends early, and where. `leaves`: a link out of the root, even if it would come back · `lost`: a link to nothing, or a cycle. */
  readonly stop: { readonly why: 'unknown' | 'leaves' | 'lost' | 'below-a-file'; readonly at: string } | null;
};

/** As many as the kernel follows. */
const MAX_LINKS = 40;
const NOTHING: PathFact = { is: 'absent', alike: [] };

export function walk(path: string, facts: PathFacts): Walk {
  const real: string[] = [];
  const found: { itself: PathFact | null; end: PathFact | null } = { itself: null, end: null };
  let link: string | null = null;
  let alike: string | null = null;
  let links = 0;
  const done = (why: NonNullable<Walk['stop']>['why'] | null, at = ''): Walk => ({
    real: real.join('/'),
    itself: found.itself,
    end: why === null ? found.end : null,
    link,
    alike,
    stop: why === null ? null : { why, at },
  });
  const parts = path.split('/');
  for (const [n, part] of parts.entries()) {
    // The target of a link takes the place of its name.
    const open = [part];
    for (let name = open.shift(), isFirst = true; name !== undefined; name = open.shift(), isFirst = false) {
      const { end } = found;
      if (end !== null && end.is !== 'folder' && end.is !== 'absent') return done('below-a-file', real.join('/'));
      if (name === '' || name === '.') continue;
      if (name === '..') {
        // From a folder to a folder: `end` is one still.
        if (real.pop() === undefined) return done('leaves', link ?? path);
        continue;
      }
      const here = [...real, name].join('/');
      const fact: PathFact | undefined = end?.is === 'absent' ? NOTHING : facts.get(here);
      if (fact === undefined) return done('unknown', here);
      if (isFirst && n === parts.length - 1) found.itself = fact;
      if (fact.alike.length > 0) alike ??= here;
      if (fact.is === 'link') {
        link ??= here;
        links += 1;
        if (fact.target.startsWith('/')) return done('leaves', here);
        if (links > MAX_LINKS) return done('lost', here);
        open.unshift(...fact.target.split('/'));
        continue;
      }
      if (fact.is === 'absent' && !isFirst) return done('lost', here);
      real.push(name);
      found.end = fact;
    }
  }
  return done(null);
}
