// The skills of this package: other programs parse their front matter.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { packageRoot } from '../../host/package-root.ts';
import { GATES } from '../../playbooks/workflow/table/gates.ts';

const frontMatter = z.looseObject({ description: z.string() });
const FOLDER = join(packageRoot(), 'plugin', 'skills');
const textOf = (name: string): string => readFileSync(join(FOLDER, name, 'SKILL.md'), 'utf8');

test.each(readdirSync(FOLDER))('/%s declares its name, description and argument', (name) => {
  const [, head = ''] = /^---\n([\s\S]*?)\n---\n/.exec(textOf(name)) ?? [];
  const { description, ...more } = frontMatter.parse(parse(head));
  expect(more).toEqual({ name, 'argument-hint': expect.any(String) });
  expect(description).toContain(`"/${name}"`);
  expect(description.length).toBeLessThan(1_024);
});

describe('/workflow', () => {
  test('lists every hard gate with its options, in order', () => {
    const rows = new Map(
      [...textOf('workflow').matchAll(/^ *\| (\S+) \| [^|]* \| ([^|]*) \|$/gm)].map(([, gate = '', options = '']) => [
        gate,
        [...options.matchAll(/`([a-z-]+)`/g)].map(([, option]) => option),
      ]),
    );
    for (const { header, isHard, options } of Object.values(GATES))
      if (isHard) expect([header, rows.get(header)]).toEqual([header, options]);
  });
});
