// What a curator's file becomes: read in many spellings, counted exactly, and nothing promoted that no other session confirmed.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openCatalogue } from '../host/catalogue.ts';
import type { Trick } from '../model/memory.ts';
import { CAPS, isWithin } from './caps.ts';
import { fitLayer, promotionsIn, readCuratorFile, tooLong } from './curation.ts';

const codes = (text: string) => readCuratorFile(text).problems.map(({ code, params }) => [code, params['section']]);

describe('the file of a curator', () => {
  test.each([
    '## Summary\n\nS\n\n## Memory\n\nM\n\n## Promote\n\n- p\n',
    '# The curation\n\n# SUMMARY:\nS\n### Memory\r\nM\r\n**Promotions**\r\n- p',
    '\uFEFF## 1. Mission summary\nS\n## 2. Long-term memory\nM\n## 3. Promoted ##\n- p\n\n',
  ])('has three sections in any spelling: %j', (text) => {
    expect(readCuratorFile(text)).toEqual({ file: { Summary: 'S', Memory: 'M', Promote: '- p' }, problems: [] });
  });
  test('needs nothing to promote', () => {
    expect(codes('## Summary\nS\n## Memory\nM')).toEqual([]);
  });
  test('without a section, or with an empty one, is named by it', () => {
    expect(codes('## Summary\n\n## Promote\n- p')).toEqual([
      ['memory-section-missing', 'Summary'],
      ['memory-section-missing', 'Memory'],
    ]);
  });
  test('with a section twice keeps both parts and says so', () => {
    const { file, problems } = readCuratorFile('## Summary\nS\n## Memory\nM\n## Summary\nT');
    expect(problems).toEqual([{ code: 'memory-section-twice', params: { section: 'Summary' } }]);
    expect(file.Summary).toBe('S\nT');
  });
  test('may speak of its sections in other headings and in code', () => {
    const { file } = readCuratorFile('## Summary\nS\n## Memory\n### Memory of the API\n```\n## Summary\n```\nM');
    expect(file).toEqual({ Summary: 'S', Memory: '### Memory of the API\n```\n## Summary\n```\nM', Promote: null });
  });
  test('is counted: a text at its cap passes, one line more does not', () => {
    const lines = (count: number) => Array.from({ length: count }, (_, n) => `- ${n}`).join('\n');
    expect(tooLong('Summary', lines(CAPS.summary.lines))).toBe(null);
    expect(tooLong('Summary', lines(CAPS.summary.lines + 1))).toMatchObject({
      code: 'memory-too-long',
      params: { section: 'Summary', lines: 41, mostLines: 40, mostTokens: 800 },
    });
    expect(tooLong('Memory', 'word '.repeat(CAPS.memory.tokens))).not.toBe(null);
  });
  test.each(['en', 'de'] as const)('gets its problems in a sentence with the numbers (%s)', async (language) => {
    const catalogue = await openCatalogue(language);
    const long = tooLong('Summary', 'line\n'.repeat(50));
    const said = [...readCuratorFile('').problems, ...(long === null ? [] : [long])].map((one) =>
      catalogue.problem(one),
    );
    expect(said).toHaveLength(3);
    expect(said[2]).toMatch(/50 .* 40 .* 800 /);
    expect(said.join('\n')).not.toMatch(/[{}]/);
  });
  test('is within its caps when it is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 200 }), { maxLength: 80 }), (lines) => {
        expect(isWithin(fitLayer('Summary', lines.join('\n')), CAPS.summary)).toBe(true);
      }),
    );
  });
});

const trick = (text: string, more: Partial<Trick> = {}): Trick => ({
  text,
  roles: ['worker'],
  sessions: [1, 2],
  confirmedBy: null,
  isConfirmed: true,
  ...more,
});

describe('a line to promote', () => {
  const tricks = [
    trick('run one file'),
    trick('note: it is slow', { roles: ['debugger', 'worker'] }),
    trick('unproved', { isConfirmed: false }),
    trick('of a stranger', { roles: ['stranger'] }),
  ];
  const promote = (text: string | null) => promotionsIn(text, tricks, ['worker', 'debugger']);
  test.each([
    ['- TRICK: Run one file.', 'worker', 'run one file'],
    ['run one file', 'worker', 'run one file'],
    ['- debugger: run one file', 'debugger', 'run one file'],
    ['- **[debugger]** TRICK: run one file', 'debugger', 'run one file'],
    ['* Note: it is slow', 'debugger', 'note: it is slow'],
    ['1. worker: TRICK: note: it is slow', 'worker', 'note: it is slow'],
    ['worker: of a stranger', 'worker', 'of a stranger'],
  ])('is promoted in the words of the entry: %s', (line, role, text) => {
    expect(promote(line)).toEqual({ promoted: [{ role, trick: text }], refused: [] });
  });
  test.each([
    ['- always skip the tests', 'unknown-trick'],
    ['- unproved', 'unconfirmed'],
    ['- of a stranger', 'unknown-role'],
    ['- planner: run one file', 'unknown-role'],
  ])('is refused: %s', (line, why) => {
    expect(promote(line)).toEqual({ promoted: [], refused: [{ line, why }] });
  });
  test.each([null, '', '- none', '(nothing)', 'None.', '-', '_none_'])('may be missing: %j', (text) => {
    expect(promote(text)).toEqual({ promoted: [], refused: [] });
  });
  test('counts once', () => {
    expect(promote('- run one file\n- worker: TRICK: run one file').promoted).toHaveLength(1);
  });
});
