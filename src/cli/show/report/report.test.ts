import { expect, test } from 'vitest';
import type { Answers } from '../../../app/operations/all.ts';
import { openCatalogue } from '../../../host/catalogue.ts';
import { reportHtml } from './html.ts';
import { escaped, reportMarkdown } from './markdown.ts';
import { outlineOf } from './outline.ts';
import { reportText } from './text.ts';

const cost = { usd: 0.5, tokens: { input: 100, output: 20, cached: 60 } };
const HOSTILE = `<img src=x onerror="alert('1')"> [link](javascript:x) \`code\` # head\u001b[31m https://evil.example`;

const report: Answers['report'] = {
  project: 'workshop',
  run: {
    run: 'r-20260301080000-1f497d3',
    command: 'run',
    started: '2026-03-01T08:00:00.000Z',
    ended: '2026-03-01T09:30:00.000Z',
    result: 'gate',
    reason: 'gate',
    is_live: false,
    sessions: 3,
    landed: 1,
    caught: 1,
    cost,
  },
  ms: 90 * 60_000,
  landed: [
    {
      item: '7',
      title: HOSTILE,
      session: 1,
      commit: 'c'.repeat(40),
      risks: ['doubt', 'exit-code'],
      proof: { strength: 'exit-code', held: ['full'], not_possible: ['mutation'] },
      diff: { files: 2, added: 30, removed: 4 },
      warnings: [HOSTILE],
      decisions: [
        { gate: 'g-1', subject: 'doubtful-proof', option: 'land', note: '', by: 'Ada', at: '2026-03-01T08:20:00.000Z' },
      ],
      handed_back: 2,
      taken_back: false,
      evidence: '.git/harness/evidence/x',
      bundle: 'b'.repeat(64),
      cost,
    },
  ],
  caught: [
    {
      item: '8',
      title: 'A saw',
      session: 2,
      result: 'rejected',
      why: 'the tests fail',
      problems: [{ code: 'tests-failed', text: `two lines\n${HOSTILE}` }],
      attempt: 'refs/harness/attempts/8/1',
      evidence: null,
      cost,
    },
  ],
  unfinished: [],
  decisions: [
    {
      gate: 'g-1',
      item: '7',
      subject: 'doubtful-proof',
      header: 'Doubt',
      option: 'land',
      note: HOSTILE,
      by: 'Ada',
      at: '2026-03-01T08:20:00.000Z',
    },
  ],
  questions: [
    {
      id: 'g-2',
      kind: 'escalation',
      item: "it's",
      subject: 'feature-stuck',
      header: 'Stuck',
      question: HOSTILE,
      options: [
        { id: 'retry', label: 'Retry', description: 'try again', danger: false },
        { id: 'skip', label: 'Skip', description: 'leave it out', danger: false },
      ],
      input: null,
      recommended: 'skip',
      evidence: [],
      policy: 'wait',
      since: '2026-03-01T09:00:00.000Z',
      state: 'open',
      answer: null,
    },
  ],
};
const document = outlineOf(report, await openCatalogue('en'));
const text = reportText(document, (_style, line) => line).join('\n');

test('a report names proof, size, commit, cost, the decision and what to type, for each landing', () => {
  expect(text).toContain('[landed in spite of a doubt]  [exit codes only]');
  expect(text).toContain('by exit code only: full; not possible: mutation');
  expect(text).toContain('Ada answered land to doubtful-proof');
  expect(text).toContain('2 files, +30 −4 lines · commit cccccccccc, session 1 · $0.50');
  expect(text).toContain('→ harness evidence show 7');
  expect(text).toContain('→ harness attempts 8');
});

test('each open question has the commands that answer it, the recommended one first', () => {
  const commands = text.split('\n').filter((line) => line.includes('harness answer'));
  expect(commands.map((line) => line.trim().split('  ')[0])).toEqual([
    '→ harness answer g-2 skip',
    '→ harness answer g-2 retry',
  ]);
});

test('the text of an agent reaches no terminal as a control character', () => {
  // oxlint-disable-next-line no-control-regex -- what is looked for
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f]/);
});

test('the HTML of a report holds no element and no attribute that an agent wrote, no script, and loads nothing', () => {
  const html = reportHtml(document);
  expect(html).toContain('&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;');
  const body = html.slice(html.indexOf('<main>'), html.indexOf('</main>'));
  const OWN =
    /^<\/?(?:main|header|section|article|h[123]|p|dl|div|dt|dd|ul|li|blockquote|code|span)(?: class="[a-z ]+")?>$/;
  for (const [tag] of body.matchAll(/<[^>]*>/g)) expect(tag).toMatch(OWN);
  expect(html).not.toContain('<script');
  expect(html).toContain("default-src 'none'");
  expect(html).not.toMatch(/url\(|@import/);
});

test('the Markdown of a report shows what an agent wrote as text', () => {
  const markdown = reportMarkdown(document);
  expect(markdown).not.toContain('<img');
  expect(markdown).not.toContain('[link](');
  expect(markdown).not.toContain('https://');
  for (const line of markdown.split('\n').filter((one) => one.startsWith('>')))
    expect(line).toMatch(/^> (?:two lines|&lt;img)/);
  expect(escaped('- a list\\')).toBe(String.raw`\- a list\\`);
  expect(escaped('12. a list')).toBe(String.raw`12\. a list`);
});

test('a report is a document of sections in every format and language, also when nothing happened', async () => {
  const empty: Answers['report'] = { ...report, landed: [], caught: [], decisions: [], questions: [] };
  const german = outlineOf(empty, await openCatalogue('de'));
  expect(german.sections.map(({ title, entries }) => [title, entries.length])).toEqual([
    ['Gelandet', 0],
    ['Abgefangen: abgelehnt und nicht in Ihrem Branch', 0],
    ['Entschieden', 0],
    ['Offene Fragen', 0],
  ]);
  expect(reportHtml(german)).toContain('<html lang="de">');
});
