import { expect, test } from 'vitest';
import { stage, valueOf } from '../../test/stage/repository.ts';
import { treeOf } from './tree.ts';
import { keepVerified, verifiedRef } from './verified.ts';

test('no `git gc` takes away what was verified, or the work that it was merged from', async () => {
  const s = stage({ 'a.txt': 'a\n' });
  const treeWith = async (text: string): Promise<string> => {
    s.write('a.txt', text);
    return valueOf(await treeOf(s.git));
  };
  const [work, both] = [await treeWith('work\n'), await treeWith('work and theirs\n')];
  s.write('a.txt', 'a\n');
  const texts = () => [work, both].map((tree) => s.sh('show', `${tree}:a.txt`));
  valueOf(await keepVerified(s.git, 3, both, [work]));
  s.sh('gc', '-q', '--prune=now');
  expect(texts()).toEqual(['work', 'work and theirs']);
  valueOf(await keepVerified(s.git, 3, both));
  expect(s.sh('rev-parse', verifiedRef(3))).toBe(both);
  s.sh('gc', '-q', '--prune=now');
  expect(texts).toThrow();
});
