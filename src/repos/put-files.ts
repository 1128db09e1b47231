// The harness's own files in the tree of a commit and in the private index that it is made of.
import { Buffer } from 'node:buffer';
import { join } from 'node:path';
import { ok, type Result } from '../model/result.ts';
import type { Git, ObjectId } from './git.ts';
import { editIndex } from './index-file.ts';
import { writeObjects } from './loose-objects.ts';
import { factsOf } from './paths.ts';
import { withEntries } from './tree-paths.ts';
import type { WorkTree } from './tree.ts';

/** Path → text. */
type Texts = { readonly [path: string]: string };

/** Puts the files into the index as they will be written, and gives the tree. */
export async function withFiles(git: Git, files: Texts, env: WorkTree['env']): Promise<Result<ObjectId>> {
  const entries: string[] = [];
  const written = Object.entries(files).map(async ([path, text]) => {
    const blob = await git.run(['hash-object', '-w', '--stdin', `--path=${path}`], { env, stdin: text });
    if (blob.ok) entries.push(`${modeOf(join(git.root, path))} ${blob.value.trim()} 0\t${path}\0`);
    return blob;
  });
  for (const blob of await Promise.all(written)) if (!blob.ok) return blob;
  if (entries.length > 0) {
    const put = await git.run(['update-index', '-z', '--replace', '--index-info'], { env, stdin: entries.join('') });
    if (!put.ok) return put;
  }
  const tree = await git.run(['write-tree'], { env });
  return tree.ok ? ok(tree.value.trim()) : tree;
}

/** The same where git stores the bytes of a file as they are: no git process, as long as the files were there before. */
export async function withPlainFiles(git: Git, files: Texts, work: WorkTree): Promise<Result<ObjectId>> {
  const texts = Object.entries(files);
  if (texts.length === 0) return ok(work.tree);
  const blobs = texts.map(([, text]) => ({ type: 'blob' as const, bytes: Buffer.from(text) }));
  const ids = await writeObjects(git, blobs, work.tree);
  const entries = new Map(
    texts.map(([path], n) => [path, { mode: modeOf(join(git.root, path)), id: ids?.[n] ?? '' }] as const),
  );
  const isDone = ids !== null && editIndex(work.env['GIT_INDEX_FILE'] ?? '', work.tree.length, entries);
  return isDone ? withEntries(git, work.tree, entries) : withFiles(git, files, work.env);
}

function modeOf(path: string): string {
  const facts = factsOf(path);
  return facts !== null && facts.isFile() && (facts.mode & 0o111) !== 0 ? '100755' : '100644';
}
