// The house as a test: rooms import only down, nothing imports in a circle, files stay small, each says what it owns.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { APP_FLOORS, FLOORS, PLAYBOOK_FLOORS, WORKFLOW_FLOORS } from './floors.ts';

const files = globSync('src/**/*.{ts,tsx}')
  .map((f) => f.replaceAll('\\', '/'))
  .sort();
const source = files.filter((f) => !f.endsWith('.test.ts'));
const text = new Map(files.map((f) => [f, readFileSync(f, 'utf8')]));
const roomOf = (file: string) => file.split('/')[1] ?? '';
const importsOf = (file: string): string[] =>
  [
    ...(text.get(file) ?? '').matchAll(
      /(?:^|\n)\s*(?:import|export)[^'"`;]*?from\s+'([^']+)'|import\(\s*'([^']+)'\s*\)/g,
    ),
  ]
    .map((m) => m[1] ?? m[2] ?? '')
    .filter((spec) => spec.startsWith('.'))
    .map((spec) => normalize(join(dirname(file), spec)).replaceAll('\\', '/'))
    .filter((target) => target.startsWith('src/'));

test('the smallest start of the program loads no package', () => {
  const loaded = new Set(['src/cli/glance.ts']);
  for (const file of loaded)
    for (const [, spec = ''] of (text.get(file) ?? '').matchAll(/^import (?!type\b)[^'"`;]*?from '([^']+)'/gm))
      loaded.add(spec.startsWith('.') ? normalize(join(dirname(file), spec)).replaceAll('\\', '/') : spec);
  const packages = [...loaded].filter((one) => !one.startsWith('src/') && !one.startsWith('node:'));
  expect(packages, 'import what it needs from a file of its own').toEqual([]);
});

describe('rooms', () => {
  const used = new Map<string, Set<string>>();
  for (const file of files)
    for (const target of importsOf(file))
      if (roomOf(file) !== roomOf(target))
        used.set(roomOf(file), (used.get(roomOf(file)) ?? new Set()).add(roomOf(target)));

  test.each(Object.keys(FLOORS))('%s imports only the rooms of its row in test/house/floors.ts', (room) => {
    const strays = files
      .filter((f) => roomOf(f) === room)
      .flatMap((f) =>
        importsOf(f)
          .filter((t) => roomOf(t) !== room && !FLOORS[room]?.includes(roomOf(t)))
          .map((t) => `${f} → ${t}`),
      );
    expect(strays, 'move the shared word down to model/, or the caller up').toEqual([]);
  });

  test.each(Object.keys(FLOORS))('%s uses every room its row allows', (room) => {
    const idle = (FLOORS[room] ?? []).filter((r) => !used.get(room)?.has(r));
    expect(idle, 'delete the allowance from test/house/floors.ts').toEqual([]);
  });

  test('every folder of src has a row', () => {
    expect([...new Set(files.map(roomOf))].filter((r) => !(r in FLOORS))).toEqual([]);
  });

  test('every row is above what it imports, so the picture has no arrow back', () => {
    const order = Object.keys(FLOORS);
    const back = order.flatMap((room, i) =>
      (FLOORS[room] ?? []).filter((r) => order.indexOf(r) <= i).map((r) => `${room} → ${r}`),
    );
    expect(back).toEqual([]);
  });
});

const INSIDE = [
  ['no playbook knows another', 'src/playbooks/', PLAYBOOK_FLOORS, 'move what both need to session/ or records/'],
  [
    'inside the workflow, imports go down',
    'src/playbooks/workflow/',
    WORKFLOW_FLOORS,
    'move it to the folder of its duty',
  ],
  ['inside the app, imports go down', 'src/app/', APP_FLOORS, 'move it to the folder of its duty'],
] as const;
test.each(INSIDE)(
  '%s: each folder of %s imports what its row in test/house/floors.ts says',
  (_, room, floors, advice) => {
    // Files of the room itself stand above its folders.
    const folderOf = (file: string): string =>
      file.startsWith(room) && file.includes('/', room.length) ? (file.slice(room.length).split('/')[0] ?? '') : '';
    const used = new Set<string>();
    const strays = source.flatMap((file) => {
      const folder = folderOf(file);
      if (folder === '') return [];
      return importsOf(file).flatMap((target) => {
        const other = folderOf(target);
        const isUp = other === '' && target.startsWith(room);
        if ((other === '' && !isUp) || other === folder) return [];
        used.add(`${folder} → ${other}`);
        return floors[folder]?.includes(other) ? [] : [`${file} → ${target}`];
      });
    });
    expect(strays, advice).toEqual([]);
    const rows = Object.entries(floors).flatMap(([from, to]) => to.map((one) => `${from} → ${one}`));
    expect(
      rows.filter((row) => !used.has(row)),
      'delete the allowance from test/house/floors.ts',
    ).toEqual([]);
  },
);

test('no file imports itself in a circle, type imports counted', () => {
  const circles: string[] = [];
  const done = new Set<string>();
  const walk = (file: string, path: string[]): void => {
    const at = path.indexOf(file);
    if (at >= 0) {
      circles.push([...path.slice(at), file].join(' → '));
      return;
    }
    if (done.has(file)) return;
    for (const target of importsOf(file)) walk(target, [...path, file]);
    done.add(file);
  };
  for (const file of source) walk(file, []);
  expect(circles, 'move what both need into a file below them').toEqual([]);
});

describe('files', () => {
  const lines = (f: string) => (text.get(f) ?? '').split('\n').length;

  test('the median is at most 150 lines and none is over 500', () => {
    const sizes = source.map(lines).sort((a, b) => a - b);
    expect(sizes[sizes.length >> 1]).toBeLessThanOrEqual(150);
    expect(
      source.filter((f) => lines(f) > 500),
      'two things in one file: find the second and move it out',
    ).toEqual([]);
  });

  test('the first line of each says what it owns', () => {
    expect(source.filter((f) => !/^(\/\/|\/\*\*)/.test(text.get(f) ?? ''))).toEqual([]);
  });

  test('no room is called utils, helpers, common or manager', () => {
    expect(source.filter((f) => /(utils?|helpers?|common|manager)(\/|\.ts$)/.test(f))).toEqual([]);
  });

  test('the word any stands for no type', () => {
    expect(
      source.filter((f) =>
        /[:<,(|]\s*any\b(?!\s*[a-z])|as any\b/.test((text.get(f) ?? '').replace(/\/\/.*|\/\*[\s\S]*?\*\//g, '')),
      ),
    ).toEqual([]);
  });

  test('a table is asked for what it has itself: entryOf of src/model/entry.ts, Object.hasOwn instead of a bare `in`', () => {
    const wrong = source.flatMap((f) => {
      const code = (text.get(f) ?? '').replace(/\/\/.*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|`[^`]*`/g, '""');
      const tables = [...code.matchAll(/const ([A-Z_]+): \{ readonly \[\w+: string\]/g)].map(([, name]) => name ?? '');
      const asked = tables.filter((name) => new RegExp(`\\b${name}(?:\\?\\.)?\\[`).test(code));
      const bare = [
        ...code.matchAll(/(?<!\b(?:const|let|readonly) |\[)\b[a-z][\w.]* in [a-z][\w.]*(?=\)| \?| &&| \|\||;)/g),
      ].map(([hit]) => hit);
      return [...asked, ...bare].map((what) => `${f}: ${what}`);
    });
    expect(wrong).toEqual([]);
  });

  test('playbooks and the engine read no clock, no chance, no machine', () => {
    const impure = source
      .filter((f) => f.startsWith('src/playbooks/') || f === 'src/engine/types.ts')
      .filter((f) => /\bDate\.now\b|new Date\(\)|Math\.random|from 'node:|process\./.test(text.get(f) ?? ''));
    expect(impure, 'let the driver or a survey hand it in').toEqual([]);
  });

  test('only src/host/environment.ts reads the environment and only the command line ends the process', () => {
    const reads = source.filter((f) => /process\.env\b/.test(text.get(f) ?? '') && f !== 'src/host/environment.ts');
    const ends = source.filter(
      (f) => /process\.exit/.test(text.get(f) ?? '') && !/^src\/(cli|agents\/(host|scripted))\//.test(f),
    );
    expect({ reads, ends }).toEqual({ reads: [], ends: [] });
  });

  test('only src/host/paths.ts asks for a path that may be missing: Node throws where a file is in the place of a folder', () => {
    const asks = source.filter((f) => (text.get(f) ?? '').includes('throwIfNoEntry') && f !== 'src/host/paths.ts');
    expect(asks, 'use statsOf or targetStatsOf').toEqual([]);
  });
});

test('names of tests are claims, not wishes', () => {
  const wishes = [...globSync('src/**/*.test.ts'), ...globSync('test/**/*.test.ts')].flatMap((f) =>
    [...readFileSync(f, 'utf8').matchAll(/\b(?:test|it)(?:\.\w+(?:\([^)]*\))?)?\(\s*'(should [^']*)'/g)].map(
      (m) => `${f}: ${m[1] ?? ''}`,
    ),
  );
  expect(wishes).toEqual([]);
});
