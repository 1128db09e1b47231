// Where a path leads, worked out from facts about a file system and nothing else: links are followed as the kernel does, component by
// component. What is not known yet is asked for, so that whoever reads the file system only has to answer.
import type { PathFact } from '../../../model/path-fact.ts';

/** What one path is, without following it if it is a link. */
export type Fact = PathFact;

/** By path, relative to the root and without links: `a`, `a/b`. */
export type Facts = Pick<ReadonlyMap<string, Fact>, 'get'>;

export type Walk = {
  /** The path without links, as far as it was followed. */
  readonly real: string;
  /** What the path itself is: its last component, if a link not followed. Null: nothing is known of it, it is the root. */
  readonly itself: Fact | null;
  /** What is at the end; null: not known. */
  readonly end: Fact | null;
  /** The first link on the way, the path itself included. */
  readonly link: string | null;
  /** The first name on the way that is there in another spelling. */
  readonly alike: string | null;
  /** Why it ends early, and where. `leaves`: a link out of the root, were it to come back · `lost`: a link to nothing, or in a circle. */
  readonly stop: { readonly why: 'unknown' | 'leaves' | 'lost' | 'below-a-file'; readonly at: string } | null;
};

/** As many as the kernel follows. */
const MOST_LINKS = 40;

const NOTHING: Fact = { is: 'absent', alike: [] };

export function walk(path: string, facts: Facts): Walk {
  const real: string[] = [];
  let itself: Fact | null = null;
  let end = null as Fact | null;
  let link: string | null = null;
  let alike: string | null = null;
  let links = 0;
  const done = (why: NonNullable<Walk['stop']>['why'] | null, at = ''): Walk => ({
    real: real.join('/'),
    itself,
    end: why === null ? end : null,
    link,
    alike,
    stop: why === null ? null : { why, at },
  });
  const parts = path.split('/');
  for (const [place, part] of parts.entries()) {
    // What a link says takes the place of its name.
    const open = [part];
    for (let name = open.shift(), isFirst = true; name !== undefined; name = open.shift(), isFirst = false) {
      if (end !== null && end.is !== 'folder' && end.is !== 'absent') return done('below-a-file', real.join('/'));
      if (name === '' || name === '.') continue;
      if (name === '..') {
        // It came from a folder, to a folder: `end` is one still.
        if (real.pop() === undefined) return done('leaves', link ?? path);
        continue;
      }
      const here = [...real, name].join('/');
      const fact: Fact | undefined = end?.is === 'absent' ? NOTHING : facts.get(here);
      if (fact === undefined) return done('unknown', here);
      if (isFirst && place === parts.length - 1) itself = fact;
      if (fact.alike.length > 0) alike ??= here;
      if (fact.is === 'link') {
        link ??= here;
        links += 1;
        if (fact.target.startsWith('/')) return done('leaves', here);
        if (links > MOST_LINKS) return done('lost', here);
        open.unshift(...fact.target.split('/'));
        continue;
      }
      if (fact.is === 'absent' && !isFirst) return done('lost', here);
      real.push(name);
      end = fact;
    }
  }
  return done(null);
}
