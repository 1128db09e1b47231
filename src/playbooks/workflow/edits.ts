// What the harness itself writes for a workflow: reports, copies, and the papers that go into a commit.
import { z } from 'zod';
import type { Edit } from '../../engine/playbook.ts';

/** Texts as they are handed in. */
const texts: Edit = (_, input) => Promise.resolve(z.record(z.string(), z.string()).parse(input));

const copyInput = z.object({ from: z.string(), to: z.string() });
const copy: Edit = async (world, input) => {
  const { from, to } = copyInput.parse(input);
  const text = await world.read(from);
  return text === null ? {} : { [to]: text };
};

const keptInput = z.object({ paths: z.array(z.string()) });
/** Papers that are there, with their own text: so they reach the commit also where git ignores their folder. */
const kept: Edit = async (world, input) => {
  const { paths } = keptInput.parse(input);
  const found = await Promise.all(paths.map(async (path) => [path, await world.read(path)] as const));
  return Object.fromEntries(found.flatMap(([path, text]) => (text === null ? [] : [[path, text] as const])));
};

export const edits = { texts, copy, kept } as const satisfies { readonly [name: string]: Edit };
