// Two sides merged without git, and by git: whatever they changed, both say the same where the first says anything.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { amountOf } from '../../test/support/effort.ts';
import { stage, type Stage, valueOf } from '../../test/stage/repository.ts';
import { mergedApart } from './merge-apart.ts';
import { mergedTree } from './merge.ts';

const BASE = { a: 'one\ntwo\nthree\n', 'd/a': 'one\n', 'd/b': 'two\n', 'e/f/g': 'three\n' };
const path = fc.constantFrom('a', 'd/a', 'd/b', 'd/new', 'e', 'e/f/g', 'e/f/new', 'new', 'new/deep');
const edit = fc.record({
  path,
  text: fc.constantFrom(null, 'one\ntwo\nthree\n', 'one\n', 'other\n', 'ONE\ntwo\nthree\n'),
});
const side = fc.array(edit, { minLength: 1, maxLength: 3 });

/** The tree of the base with these edits, and a commit of it. */
function made(s: Stage, edits: readonly { readonly path: string; readonly text: string | null }[]) {
  s.sh('reset', '-q', '--hard', 'base');
  for (const { path: name, text } of edits) {
    const file = join(s.root, name);
    try {
      if (text === null) rmSync(file, { force: true });
      else {
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text);
      }
    } catch {
      // a folder is there, or a file is in the way: this side leaves it out
    }
  }
  s.sh('add', '-A');
  s.sh('commit', '-q', '--allow-empty', '-m', 'side');
  return { commit: s.sh('rev-parse', 'HEAD'), tree: s.sh('rev-parse', 'HEAD^{tree}') };
}

test('what is merged without git is what git merges', async () => {
  const s = stage(BASE);
  s.sh('tag', 'base');
  const base = s.sh('rev-parse', 'base^{tree}');
  let without = 0;
  await fc.assert(
    fc.asyncProperty(side, side, async (mine, others) => {
      const [ours, theirs] = [made(s, mine), made(s, others)];
      const apart = valueOf(await mergedApart(s.git, { base, ours: ours.tree, theirs: theirs.tree }));
      if (apart === null) return;
      without += 1;
      expect(valueOf(await mergedTree(s.git, ours.commit, theirs.commit))).toEqual({ tree: apart });
    }),
    { numRuns: amountOf(40, 200) },
  );
  expect(without).toBeGreaterThan(5);
}, 120_000);
