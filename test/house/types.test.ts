// One name, one meaning: an exported type name is declared in one file of src.
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Declarations only: a type that is exported again from another file is still one type. */
const DECLARED = /^export (?:declare )?(?:type|interface|(?:abstract )?class|enum) (\w+)(?=[\s<=])/gm;

test('every exported type name has one meaning', () => {
  const files = new Map<string, string[]>();
  for (const file of globSync('src/**/*.ts').sort())
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(DECLARED))
      files.set(name, [...(files.get(name) ?? []), file.replaceAll('\\', '/')]);
  const shared = [...files]
    .filter(([, where]) => where.length > 1)
    .map(([name, where]) => `${name}: ${where.join(', ')}`);
  expect(shared.length, `\n${shared.join('\n')}\n`).toBe(0);
});
