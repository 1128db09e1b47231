// What lies in the root of a project, as the tables of languages and commands want to know it (reference 004, Step 1.4 to 1.6).
import { readdirSync } from 'node:fs';
import { tablesOf, type ProjectFacts } from '../../playbooks/workflow/project/detect.ts';
import type { Target } from '../target.ts';

export async function projectFacts({ root, world }: Pick<Target, 'root' | 'world'>): Promise<ProjectFacts> {
  const text = async (name: string): Promise<string | null> =>
    (await world.stat(name))?.kind === 'file' ? world.read(name) : null;
  const pyproject = await text('pyproject.toml');
  return {
    files: readdirSync(root),
    packageJson: parsed(await text('package.json')),
    pyproject: pyproject === null ? null : tablesOf(pyproject),
  };
}

/** A package.json that cannot be read says nothing; the commands of its language stand. */
function parsed(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return null;
  }
}
