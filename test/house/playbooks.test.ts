// A playbook is a plug-in: the rest of src reaches it through its manifest in the registry, and does not know its name.
//
// A name occurs where
//   - the path of an import leads into src/playbooks/<name>/, or
//   - a string literal is the name and nothing else: 'tasks'.
// 'harness-tasks.json', "two tasks are left", an identifier and a comment are ordinary words. So is the key `paths.features` of the
// configuration, and the name of a member of a file, in a constant MEMBER: 'features' right after 'paths' in the path of a key. Tests may name any playbook, as an example.
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PLAYBOOKS } from '../../src/playbooks/registry.ts';

const REGISTRY = 'src/playbooks/registry.ts';
/** The values of the configuration key `playbook`. */
const SCHEMA_NAMES = 'src/model/config/names.ts';

const files = globSync('src/**/*.ts')
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !file.endsWith('.test.ts') && file !== REGISTRY && file !== SCHEMA_NAMES)
  .sort();

/** Lines that use the name of the playbook. */
const usesOf = (name: string, code: string): readonly string[] => {
  const literal = new RegExp(`(?<!'paths', )(['"\`])${name}\\1`);
  const path = new RegExp(`(?:from|import\\() ?'[^']*(?:playbooks|\\.\\.)/${name}/`);
  const comment = /^\s*(?:\/\/|\/?\*)|^export const MEMBER = /;
  return code.split('\n').filter((line) => !comment.test(line) && (literal.test(line) || path.test(line)));
};

test.each(PLAYBOOKS)('the name $name is used in its own folder and in the registry, and nowhere else', ({ name }) => {
  const strays = files
    .filter((file) => !file.startsWith(`src/playbooks/${name}/`))
    .flatMap((file) => usesOf(name, readFileSync(file, 'utf8')).map((line) => `${file}: ${line.trim()}`));
  expect(
    strays,
    'make it a property of PlaybookManifest (src/engine/manifest.ts), or move the code to its folder',
  ).toEqual([]);
});

test.each([
  [true, `import { read } from '../playbooks/tasks/read.ts';`],
  [true, `import { read } from '../tasks/read.ts';`],
  [true, `const module = await import('../playbooks/tasks/read.ts');`],
  [true, `if (config.playbook.machine === 'tasks') return;`],
  [true, 'const name = `tasks`;'],
  [false, `valueAt(written, ['paths', 'tasks'])`],
  [false, `const file = 'harness-tasks.json';`],
  [false, `const tasks = listOf('two tasks are left');`],
  [false, `// The machine 'tasks' keeps its own list.`],
])('whether the rule finds the name tasks is %s for: %s', (isFound, line) => {
  expect(usesOf('tasks', line)).toEqual(isFound ? [line] : []);
});
