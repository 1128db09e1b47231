// Every known way out of the box, tried for real at every level that this machine supports. A test fails if an attempt that the docs call
// stopped gets through, or the other way round: the documented protection is exactly the real one.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { LEVELS } from '../../src/host/sandbox/level.ts';
import { IS_EXHAUSTIVE, sampleOfRows } from '../support/effort.ts';
import { heldLevels } from '../support/levels.ts';
import { ESCAPES, tableOf } from './escapes.ts';
import { openStage } from './stage.ts';

const held = await heldLevels();
const hasNamespaces = spawnSync('sh', ['-c', 'unshare -Urm true']).status === 0;
if (!hasNamespaces)
  process.stderr.write('\nSKIPPED: new namespaces are forbidden here: nothing gets through by them\n');

/** Of the levels that runs do not have here CI tries a sample. */
const escapesAt = (level: (typeof LEVELS)[number]): typeof ESCAPES =>
  held.has(level) && level !== LEVELS.find((one) => held.has(one))
    ? sampleOfRows(ESCAPES, ESCAPES.length, Math.ceil(ESCAPES.length / 3))
    : ESCAPES;

/** The level that runs have here, and all of them in CI. */
const tried = IS_EXHAUSTIVE ? LEVELS : LEVELS.filter((level) => held.has(level)).slice(0, 1);
for (const level of tried)
  describe.skipIf(!held.has(level))(`at level ${level}`, () => {
    for (const escape of escapesAt(level)) {
      const fate = escape.fates[level];
      const lacks =
        (escape.needsNamespaces === true && !hasNamespaces) || (escape.needsRoot === true && process.getuid?.() !== 0);
      const isMoot = fate === 'gets through' && lacks;
      test.skipIf(isMoot)(`${escape.part}: "${escape.name}" ${fate}`, async () => {
        const stage = await openStage(level, { linked: escape.linked === true });
        onTestFinished(() => stage.close());
        const exit = await stage.attempt(escape);
        const escaped = await escape.escaped(stage, exit);
        expect(escaped ? 'gets through' : 'stopped', `${exit.stdout.slice(0, 500)}\n${exit.stderr.slice(0, 500)}`).toBe(
          fate,
        );
      });
    }
  });

const BEGIN = '<!-- escapes: written by UPDATE_GOLDEN=1 vitest run --project adversarial test/adversarial/escape -->';
test('the page about the sandbox shows this very table', () => {
  const path = 'docs/sandbox.md';
  const page = readFileSync(path, 'utf8');
  const [before = '', rest = ''] = page.split(`${BEGIN}\n`);
  const after = rest.slice(rest.search(/^(?!\|)/m));
  const wanted = `${before}${BEGIN}\n${tableOf(ESCAPES)}${after}`;
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(path, wanted);
  expect(readFileSync(path, 'utf8')).toBe(wanted);
});
