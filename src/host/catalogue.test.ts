import { describe, expect, test } from 'vitest';
import { dirtyTree, failure } from '../model/failure.ts';
import { SUBJECTS, type GateAsk } from '../model/gate.ts';
import { REASONS, type Reason } from '../model/reasons.ts';
import { PROBLEM_CODES } from '../model/verdict.ts';
import { openCatalogue } from './catalogue.ts';
import { LANGUAGES } from './language.ts';
import type { Phrase } from '../model/sentences.ts';
import { placeholdersOf } from './formatter.ts';
import * as german from './sentences/de/all.ts';
import * as english from './sentences/en/all.ts';
import type { FailureSentences, GateSentences } from './sentences/shape.ts';

const languages = { en: english, de: german };
const reasons = Object.keys(REASONS).filter((name): name is Reason => Object.hasOwn(REASONS, name));
const catalogues = { en: await openCatalogue('en'), de: await openCatalogue('de') };

const placeholdersOfFailure = (words: FailureSentences) =>
  [words.title, words.why, ...words.fix].flatMap(placeholdersOf);
const placeholdersOfGate = (words: GateSentences) => placeholdersOf(words.question);
/** Keys for which the languages use different parameters, or only one of them has a text. */
const differing = <T>(
  of: (lang: 'en' | 'de') => { readonly [key: string]: T },
  placeholders: (words: T) => readonly string[],
): readonly string[] =>
  [...new Set(LANGUAGES.flatMap((lang) => Object.keys(of(lang))))].flatMap((key) => {
    const [en, de] = LANGUAGES.map((lang) => {
      const words = of(lang)[key];
      return words === undefined ? 'no words' : `{${[...new Set(placeholders(words))].sort().join(' ')}}`;
    });
    return en === de ? [] : [`${key}: en has ${en}, de has ${de}`];
  });

describe('every code has its sentence in both languages', () => {
  test.each(LANGUAGES)('each reason of src/model/reasons.ts has one in %s', (lang) => {
    const missing = reasons.filter((reason) => !Object.hasOwn(languages[lang].sentences.failures, reason));
    expect(missing, `add them to the section of their room: src/host/sentences/${lang}/<section>.ts`).toEqual([]);
  });
  test.each(LANGUAGES)('each problem code of src/model/verdict.ts has one in %s', (lang) => {
    const missing = PROBLEM_CODES.filter((code) => !Object.hasOwn(languages[lang].sentences.problems, code));
    expect(missing, `add them to src/host/sentences/${lang}/problems.ts`).toEqual([]);
  });
  test.each(LANGUAGES)('each problem of a session has a text as the reason of its end in %s', (lang) => {
    const missing = PROBLEM_CODES.filter(
      (code) => !/^init-|^stub-/.test(code) && !Object.hasOwn(languages[lang].sentences.outcomes, code),
    );
    expect(missing, `add them to src/host/sentences/${lang}/engine.ts`).toEqual([]);
  });
  test.each(LANGUAGES)('no sentence is without a code in %s', (lang) => {
    const { failures, problems } = languages[lang].sentences;
    const stale = [
      ...Object.keys(failures).filter((reason) => !Object.hasOwn(REASONS, reason)),
      ...Object.keys(problems).filter((code) => !(PROBLEM_CODES as readonly string[]).includes(code)),
    ];
    expect(stale, `remove them from src/host/sentences/${lang}/, or add the code to src/model/`).toEqual([]);
  });
  test.each(LANGUAGES)('no reason has two sentences in %s', (lang) => {
    const all = Object.values(languages[lang].sections).flatMap((section) => Object.keys(section));
    expect(
      all.filter((reason, i) => all.indexOf(reason) !== i),
      'a reason is in one section',
    ).toEqual([]);
  });
  test('each failure says what happened and what to do', () => {
    for (const lang of LANGUAGES)
      for (const [reason, words] of Object.entries(languages[lang].sentences.failures))
        expect([reason, words.title !== '' && words.fix.length > 0]).toEqual([reason, true]);
  });
});

describe('both languages say the same', () => {
  test('the parameters of each failure', () => {
    expect(
      differing((l) => languages[l].sentences.failures, placeholdersOfFailure),
      'use the same {parameters} in src/host/sentences/en and de',
    ).toEqual([]);
  });
  test.each(['problems', 'texts', 'outcomes', 'words'] as const)('the keys and parameters of the %s', (part) => {
    expect(
      differing<Phrase>((l) => languages[l].sentences[part], placeholdersOf),
      'use the same {parameters} in src/host/sentences/en and de',
    ).toEqual([]);
  });
  test('the subjects of gates, their parameters and options', () => {
    expect(
      differing<GateSentences>((l) => languages[l].sentences.gates, placeholdersOfGate),
      'use the same {parameters} in src/host/sentences/en and de',
    ).toEqual([]);
    const optionsOf = (l: 'en' | 'de') =>
      [
        ...Object.keys(languages[l].sentences.options),
        ...Object.entries(languages[l].sentences.gates).flatMap(([s, g]) =>
          Object.keys(g.options ?? {}).map((o) => `${s}/${o}`),
        ),
      ].sort();
    expect(optionsOf('de')).toEqual(optionsOf('en'));
  });
  test.each(LANGUAGES)('each question has a text, and each of its options, in %s', (lang) => {
    const { gates, options } = languages[lang].sentences;
    const missing = Object.entries(SUBJECTS).flatMap(([subject, { options: ids }]) =>
      Object.hasOwn(gates, subject)
        ? ids.flatMap((id) => ((gates[subject]?.options?.[id] ?? options[id]) ? [] : [`${subject}/${id}`]))
        : [subject],
    );
    expect(missing).toEqual([]);
  });
  test('a header has at most 12 characters', () => {
    const long = LANGUAGES.flatMap((l) => [
      ...Object.values(languages[l].sentences.gates).map((g) => g.header),
      languages[l].sentences.otherGate.header,
    ]).filter((header) => header.length > 12);
    expect(long).toEqual([]);
  });
});

describe('a failure', () => {
  const { en, de } = catalogues;
  test('says what happened, why, and what to do', () => {
    const dirty = dirtyTree(['src/api.ts', 'package.json', 'my notes.txt']);
    expect(en.failure(dirty)).toEqual({
      title: 'The working tree has 3 uncommitted files, so nothing was started.',
      why: 'src/api.ts, package.json, my notes.txt\nThe harness resets the working tree when an attempt fails, and would mix these files with its own work.',
      fix: [
        "git stash push -u -- src/api.ts package.json 'my notes.txt'",
        `git add -- src/api.ts package.json 'my notes.txt' && git commit -m "my work"`,
        'dirty_tree: stash   (in the configuration: stash them automatically)',
      ],
      at: null,
      causes: [],
    });
    expect(de.failure(dirty).title).toBe(
      'Im Arbeitsverzeichnis sind 3 Dateien nicht committet, deshalb wurde nichts begonnen.',
    );
  });
  test('names the place, and each mistake with a place of its own', () => {
    const cause = failure(
      'config-value-invalid',
      { key: 'costs.per_session_usd', allowed: 'number > 0', got: '"ten"' },
      { at: { file: '.harness.yaml', line: 4, column: 20, key: 'costs.per_session_usd' } },
    );
    const whole = en.failure(failure('config-invalid', {}, { at: { file: '.harness.yaml' }, causes: [cause, cause] }));
    expect(whole).toMatchObject({ title: 'The configuration .harness.yaml has 2 errors.', at: '.harness.yaml' });
    expect(whole.causes[0]).toBe('.harness.yaml:4:20 costs.per_session_usd: cannot be "ten"; allowed: number > 0.');
    expect(en.failure(cause).title).toBe('costs.per_session_usd cannot be "ten"; allowed: number > 0.');
  });
  test.each(reasons)('%s without any parameter is still a sentence, in both languages', (reason) => {
    for (const catalogue of [en, de]) {
      const said = catalogue.failure(failure(reason));
      expect(said.title.length).toBeGreaterThan(8);
      expect([said.title, said.why, ...said.fix].join()).not.toMatch(/undefined|\[\[|\]\]/);
    }
  });
  test('with a reason that this version does not know shows the reason', () => {
    const reason: Reason = JSON.parse('"from-tomorrow"');
    expect(en.failure({ reason, policy: 'fatal', params: {} }).title).toBe('from-tomorrow');
  });
});

describe('a problem', () => {
  test('says what was found and what to do, then the ids', () => {
    expect(catalogues.en.problem({ code: 'regression', params: {}, ids: ['vitest|a.test.ts||adds'] })).toBe(
      '1 test that passed before now fails. Make it pass again without changing it.\n- a.test.ts > adds',
    );
  });
  test('shows the texts of codes in its parameters, and introduces no ids where it has none', () => {
    expect(catalogues.de.problem({ code: 'backlog-unreadable', params: { why: 'not-json' } })).toBe(
      'Das Backlog ist nicht mehr lesbar: es ist kein JSON. So wiederherstellen, wie es vor der Sitzung war.',
    );
    expect(catalogues.en.problem({ code: 'item-removed', params: { count: 1 } })).toMatch(/exactly as it was\.$/);
  });
  test('that reports a failure has its sentence', () => {
    const params = { reason: 'dependency-self', feature: '4', file: 'features.json', line: 9, column: 3, key: 'x' };
    expect(catalogues.en.problem({ code: 'init-backlog-invalid', params })).toBe(
      'features.json:9:3 x: Feature 4 depends on itself. Correct it.',
    );
  });
  test('with many ids counts what it does not show', () => {
    const ids = Array.from({ length: 25 }, (_, i) => `t${i}`);
    const lines = catalogues.de.problem({ code: 'tests-missing', params: {}, ids }).split('\n');
    expect([lines.length, lines.at(-1)]).toEqual([22, '… und 5 weitere']);
  });
  test('with only its first ids counts all of them', () => {
    const said = catalogues.en.problem({ code: 'regression', params: { count: 120 }, ids: ['a', 'b'] });
    expect(said.split('\n').slice(1)).toEqual(['- a', '- b', '… and 118 more']);
  });
  test('keeps each id on one line', () => {
    const said = catalogues.en.problem({ code: 'tests-missing', params: {}, ids: ['a\n## b'] });
    expect(said.split('\n').at(-1)).toBe('- a ## b');
  });
});

describe('a gate', () => {
  const ask = (subject: string, options: string[], params = {}): GateAsk => ({
    gate: 'escalation',
    subject,
    item: '15',
    params,
    options: options.map((id) => ({ id })),
    recommended: options[0] ?? '',
    evidence: [],
  });
  test('is a header, a question and options with a label and a description', () => {
    expect(catalogues.en.gate(ask('feature-stuck', ['split', 'abort'], { sessions: 3 }))).toEqual({
      header: 'Stuck',
      question: 'Item 15 has not been completed in 3 sessions. How should it continue?',
      options: [
        {
          id: 'split',
          label: 'Split',
          description: 'You split the item into smaller ones in the backlog; then work continues.',
        },
        {
          id: 'abort',
          label: 'End the run',
          description: 'Nothing more is started; everything done so far is saved.',
        },
      ],
    });
  });
  test('has its own text for an option where the common one would mislead', () => {
    expect(catalogues.de.gate(ask('large-feature', ['proceed'])).options[0]?.label).toBe('Trotzdem');
  });
  test('of an unknown subject still asks', () => {
    expect(catalogues.en.gate(ask('constructor', ['constructor']))).toEqual({
      header: 'Decision',
      question: 'A decision is needed: constructor (item 15).',
      options: [{ id: 'constructor', label: 'constructor', description: '' }],
    });
  });
});

test('an outcome has a sentence, and a reason without one is shown as it is', () => {
  expect(catalogues.de.outcome('skipped')).toBe('von einem Menschen ausgelassen');
  expect(catalogues.en.outcome('from-tomorrow')).toBe('from-tomorrow');
  expect(catalogues.en.outcome('agent-auth')).toBe('The agent is not logged in');
  expect(catalogues.en.outcome('file-unreadable')).toBe('file-unreadable'); // its sentence needs to know which
});

test('every text key is in one section', async () => {
  const [{ texts }, { steering }, { screens }] = await Promise.all([
    import('./sentences/en/cli.ts'),
    import('./sentences/en/steering.ts'),
    import('./sentences/en/screens.ts'),
  ]);
  const keys = [texts, steering, screens].flatMap((section) => Object.keys(section));
  expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([]);
});
