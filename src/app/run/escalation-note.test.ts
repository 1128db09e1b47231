// The file that says which decisions a run waits for.
import { mkdtempSync, readFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openCatalogue } from '../../host/catalogue.ts';
import { realIo } from '../../host/io.ts';
import { failure } from '../../model/failure.ts';
import type { Gate } from '../../model/gate.ts';
import { escalation } from '../../model/gate.ts';
import { noteEscalations } from './escalation-note.ts';

const catalogue = await openCatalogue('en');
const asked = (id: string, kind: Gate['gate']): Gate => {
  const { kind: _, ...ask } = escalation('feature-stuck', 'stuck', '7', {
    params: { item: '7', title: 'x', sessions: 3 },
  });
  return { ...ask, gate: kind, id, schema: 1, epoch: 0, since: '2026-01-01T00:00:00.000Z', policy: 'wait' };
};

function world() {
  const root = mkdtempSync(join(tmpdir(), 'note-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const file = join(root, 'waiting.md');
  const note = (gates: readonly Gate[], why: Parameters<typeof noteEscalations>[2] = null, path?: string) =>
    noteEscalations(
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parts of a target that are read
      {
        root,
        io: realIo(),
        clock: { iso: () => '2026-01-02T00:00:00.000Z' },
        machine: path === undefined ? { escalationFile: 'waiting.md' } : {},
      } as never,
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parts of a context that are read
      {
        gates: { list: () => ({ ok: true, value: gates.map((gate) => ({ gate, closed: null })) }) },
        catalogue,
        redact: (text: string) => text.replace('hunter2', '***'),
      } as never,
      why,
    );
  return { file, note, text: () => readFileSync(file, 'utf8') };
}

test('names each escalation with the commands that answer it; a checkpoint is none', () => {
  const { note, text } = world();
  note([asked('g-1', 'escalation'), asked('g-2', 'checkpoint')]);
  expect(text()).toContain('# Waiting for a decision');
  expect(text()).toContain('harness answer g-1 retry');
  expect(text()).not.toContain('g-2');
});

test('names each reason once', () => {
  const { note, text } = world();
  note([{ ...asked('g-1', 'escalation'), problems: [{ code: 'review-unanswered', params: { role: 'validator' } }] }]);
  expect(text().match(/the validator could not be read/g)).toHaveLength(1);
});

test('says why nothing can start, and is removed when a run waits for nothing', () => {
  const { note, text, file } = world();
  note([], failure('items-given-up', { count: 1, items: 'F-001' }));
  expect(text()).toContain('F-001');
  note([]);
  expect(existsSync(file)).toBe(false);
});

test('leaves what a session wrote there, and machines that keep no such file alone', () => {
  const { note, file } = world();
  note([asked('g-1', 'escalation')], null, 'none');
  expect(existsSync(file)).toBe(false);
  writeFileSync(file, '# The plan was rejected\n');
  note([]);
  expect(existsSync(file)).toBe(true);
});
