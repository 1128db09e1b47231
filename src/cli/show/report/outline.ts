// What a report says, in sentences of the catalogue.
import type { Answers } from '../../../app/operations/all.ts';
import type { Catalogue } from '../../../host/catalogue.ts';
import { printable } from '../../../host/formatter.ts';
import { shellWord } from '../../../model/shell-quote.ts';
import { minute } from '../gates.ts';
import { isUnreported, tokensOf } from '../runs.ts';
import { oneLine, short } from '../table.ts';
import type { Entry, ReportDocument, Section, Tone } from './document.ts';

type Report = Answers['report'];
type Landed = Report['landed'][number];
type Ended = Report['caught'][number];
type Question = Report['questions'][number];

export function outlineOf(report: Report, catalogue: Catalogue): ReportDocument {
  const { text } = catalogue;
  const { run, landed, caught, unfinished, decisions, questions } = report;
  const section = (title: string, none: string, entries: readonly Entry[], note = ''): Section => ({
    title,
    note: entries.length === 0 ? none : note,
    entries,
  });
  const sections = [
    section(
      text('report.landed'),
      text('report.nothing-landed'),
      landed.map((one) => landedEntry(one, catalogue)),
      landed.length > 1 ? text('report.landed-order') : '',
    ),
    section(
      text('report.caught'),
      text('report.nothing-caught'),
      caught.map((one) => endedEntry(one, 'bad', catalogue)),
    ),
    section(
      text('report.unfinished'),
      '',
      unfinished.map((one) => endedEntry(one, 'plain', catalogue)),
    ),
    section(
      text('report.decisions'),
      text('report.no-decisions'),
      decisions.map((one) => decisionEntry(one, catalogue)),
    ),
    section(
      text('report.questions'),
      text('report.no-questions'),
      questions.map((one) => questionEntry(one)),
    ),
  ];
  return {
    lang: catalogue.lang,
    title: text('report.title', { project: oneLine(report.project), run: run.run }),
    lead: text('report.lead', {
      landed: landed.length,
      caught: caught.length,
      unfinished: unfinished.length,
      questions: questions.length,
    }),
    pairs: [
      ...(run.started === null ? [] : [[text('report.when'), whenOf(report, catalogue)] as const]),
      [text('report.end'), endOf(report, catalogue)],
      [text('report.sessions'), String(run.sessions)],
      [text('report.cost'), costOf(run.cost, catalogue)],
    ],
    sections: sections.filter(({ note, entries }) => note !== '' || entries.length > 0),
  };
}

function whenOf({ run, ms }: Report, { text }: Catalogue): string {
  const from = minute(run.started ?? '');
  const forMs = ms ?? '';
  return run.ended === null
    ? text('report.so-far', { from, forMs })
    : text('report.time', { from, to: minute(run.ended), forMs });
}

function endOf({ run }: Report, { text, outcome }: Catalogue): string {
  if (run.is_live) return text('runs.live');
  return run.result === null ? text('runs.killed') : outcome(run.reason ?? run.result);
}

const moneyOf = ({ usd }: Landed['cost'], { text }: Catalogue): string =>
  usd === null ? text('status.usd-unknown') : `$${usd.toFixed(2)}`;

function costOf(cost: Landed['cost'], catalogue: Catalogue): string {
  if (isUnreported(cost)) return catalogue.text('costs.unreported');
  const money = moneyOf(cost, catalogue);
  return catalogue.text('report.spent', { money, tokens: tokensOf(cost), cached: cost.tokens.cached });
}

const nameOf = (item: string | null, title: string): string =>
  [item === null || item === '' ? '–' : `#${oneLine(item)}`, short(title)].filter((part) => part !== '').join(' ');

function landedEntry(one: Landed, catalogue: Catalogue): Entry {
  const { text } = catalogue;
  const { strength, held, not_possible: notPossible } = one.proof;
  const named = { held: held.map(oneLine).join(', '), notPossible: notPossible.map(oneLine).join(', ') };
  const badge = (tone: Tone, words: string) => ({ tone, text: words });
  const commit = one.commit.slice(0, 10);
  return {
    title: nameOf(one.item, one.title),
    badges: [
      ...(one.taken_back ? [badge('bad', text('report.taken-back'))] : []),
      ...one.risks.map((risk) => badge(risk === 'unconfirmed' ? 'bad' : 'warn', text(`report.risk.${risk}`))),
      ...(strength === 'tests' ? [badge('good', text('report.tests'))] : []),
    ],
    facts: [
      ...(strength === null || held.length === 0 ? [] : [text(`proof.${strength}`, named)]),
      ...one.decisions.map(({ by, option, subject }) => text('report.let', { by, option, subject })),
      [
        one.diff === null ? text('report.diff-unknown') : text('report.diff', { ...one.diff, count: one.diff.files }),
        text('report.commit', { commit, session: one.session }),
        moneyOf(one.cost, catalogue),
      ].join(' · '),
      ...(one.handed_back === 0 ? [] : [text('report.handed-back', { count: one.handed_back })]),
      ...(one.evidence === null ? [] : [text('report.evidence', { evidence: oneLine(one.evidence) })]),
    ],
    texts: one.warnings.map(manyLines),
    commands: [
      { command: `git show ${commit}`, about: '' },
      ...(one.bundle === null ? [] : [{ command: `harness evidence show ${shellWord(one.item)}`, about: '' }]),
    ],
  };
}

function endedEntry(one: Ended, tone: Tone, catalogue: Catalogue): Entry {
  const { text } = catalogue;
  return {
    title: nameOf(one.item, one.title),
    badges: [{ tone, text: oneLine(one.why) }],
    facts: [
      [text('report.session', { session: one.session }), moneyOf(one.cost, catalogue)].join(' · '),
      ...(one.attempt === null ? [] : [text('report.attempt', { attempt: oneLine(one.attempt) })]),
      ...(one.evidence === null ? [] : [text('report.evidence', { evidence: oneLine(one.evidence) })]),
    ],
    texts: one.problems.map((problem) => manyLines(problem.text)),
    commands:
      one.attempt === null || one.item === null
        ? []
        : [{ command: `harness attempts ${shellWord(one.item)}`, about: '' }],
  };
}

function decisionEntry(one: Report['decisions'][number], { text }: Catalogue): Entry {
  return {
    title: `${one.gate} ${oneLine(one.header)}${one.item === null ? '' : ` #${oneLine(one.item)}`}`,
    badges: [],
    facts: [text('report.answer', { by: oneLine(one.by), option: one.option, at: minute(one.at) })],
    texts: one.note === '' ? [] : [manyLines(one.note)],
    commands: [],
  };
}

/** The recommended answer comes first. */
function questionEntry({ id, header, item, question, options, recommended }: Question): Entry {
  const isBest = (option: { readonly id: string }): boolean => option.id === recommended;
  const ordered = [...options.filter(isBest), ...options.filter((option) => !isBest(option))];
  return {
    title: `${id} ${oneLine(header)}${item === null ? '' : ` #${oneLine(item)}`}`,
    badges: [],
    facts: [],
    texts: [manyLines(question)],
    commands: ordered.map((option) => ({
      command: `harness answer ${id} ${shellWord(option.id)}`,
      about: oneLine(`${option.label}: ${option.description}`),
    })),
  };
}

/** Keeps line ends, and nothing else that a terminal would act upon. */
const manyLines = (text: string): string =>
  text
    .trim()
    .split('\n')
    .map((line) => printable(line.trimEnd()))
    .join('\n');
