// What a run did, for a person who was not there: what landed with the riskiest first, what was refused, what was decided, what is asked, what it cost.
import { z } from 'zod';
import { wholeEnvironment } from '../../host/environment.ts';
import type { Catalogue } from '../../host/catalogue.ts';
import { ok } from '../../model/result.ts';
import { PROOF_STRENGTHS } from '../../model/proof.ts';
import { problemSchema } from '../../model/verdict.ts';
import { createGit } from '../../repos/git.ts';
import { readLandedFacts, type LandedFacts, type NotedLanding } from '../evidence/landed-facts.ts';
import { compareRisk, RISKS, risksOf, type Weighed } from '../look/landing-risk.ts';
import type { RunEvent } from '../look/run-events.ts';
import { costShape } from '../look/status-answer.ts';
import { openProjectView } from '../open/project-view.ts';
import { gates } from './gates.ts';
import { gateShape } from './gate-answer.ts';
import { isCaught, run, sessions } from './history.ts';
import { items } from './items.ts';
import { operation } from './operation.ts';

const maybe = z.string().nullable();
const list = <S extends z.ZodType>(shape: S) => z.array(shape).readonly();

const decisionShape = z.object({
  gate: z.string(),
  item: maybe,
  subject: z.string(),
  header: z.string(),
  option: z.string(),
  note: z.string(),
  by: z.string(),
  at: z.string(),
});

const landedShape = z.object({
  item: z.string(),
  title: z.string(),
  session: z.number(),
  commit: z.string(),
  risks: list(z.enum(RISKS)).describe('the gravest first; empty: proved by tests, small, without doubts'),
  proof: z.object({
    strength: z.enum(PROOF_STRENGTHS).nullable(),
    held: list(z.string()),
    not_possible: list(z.string()),
  }),
  diff: z
    .object({ files: z.number(), added: z.number(), removed: z.number() })
    .nullable()
    .describe('without the files that the harness itself writes'),
  warnings: list(z.string()),
  decisions: list(decisionShape.pick({ gate: true, subject: true, option: true, note: true, by: true, at: true })),
  handed_back: z.number().describe('checks that did not hold before it landed'),
  taken_back: z.boolean().describe('the run undid it later'),
  evidence: maybe.describe('the folder of its last checks'),
  bundle: maybe.describe('the hash of its evidence bundle'),
  cost: costShape.describe('of all sessions of the run on it'),
});

const endedShape = z.object({
  item: maybe,
  title: z.string(),
  session: z.number(),
  result: z.string(),
  why: z.string(),
  problems: list(z.object({ code: z.string(), text: z.string() })),
  attempt: maybe.describe('where its work is kept'),
  evidence: maybe,
  cost: costShape,
});

const reportShape = z.object({
  project: z.string(),
  run: run.output.shape.run,
  ms: z.number().nullable().describe('how long it took, or has taken so far'),
  landed: list(landedShape).describe('what to look at first comes first'),
  caught: list(endedShape).describe('sessions whose work was refused'),
  unfinished: list(endedShape).describe('sessions that ended, or wait, without a result'),
  decisions: list(decisionShape).describe('questions that were answered during the run, or about what it did'),
  questions: list(gateShape).describe('open now, oldest first'),
});
type Report = z.output<typeof reportShape>;
type Session = z.output<typeof sessions.output>['sessions'][number];
type Gate = z.output<typeof gateShape>;

export const report = operation({
  name: 'report',
  kind: 'read',
  about:
    'What a run did: what landed, the riskiest first, each with proof, size, commit and cost; what was refused and why; decisions; open questions.',
  command: 'report',
  input: z.object({ run: z.string().default('last').describe('its name; `last`: the newest') }),
  output: reportShape,
  async run(asker, { run: name }) {
    const view = await openProjectView(asker);
    if (!view.ok) return view;
    const timeline = await run.run(asker, { run: name });
    if (!timeline.ok) return timeline;
    const { run: about, events } = timeline.value.answer;
    const [known, asked, listed] = [
      await sessions.run(asker, {}),
      await gates.run(asker, { all: true }),
      await items.run(asker, {}),
    ];
    if (!known.ok) return known;
    if (!asked.ok) return asked;
    const own = known.value.answer.sessions.filter((session) => session.run === about.run);
    const noted = notedLandings(about.run, events, own);
    const git = createGit({
      root: view.value.root,
      env: wholeEnvironment(),
      token: `${view.value.privateDir}@reader-${process.pid}`,
    });
    const facts = noted.length === 0 ? [] : await readLandedFacts(git, noted);
    // A list that cannot be read costs the titles, not the report.
    const titles = new Map(listed.ok ? listed.value.answer.items.map(({ id, title }) => [id, title]) : []);
    const landed = noted.map((landing, n) =>
      landedOf(landing, facts[n], { events, own, titles, catalogue: asker.catalogue }),
    );
    const landedIn = new Set(noted.map(({ session }) => session));
    const rest = own.filter(({ session }) => !landedIn.has(session)).map((session) => endedOf(session, titles));
    const answer: Report = {
      project: view.value.project,
      run: about,
      ms: lengthOf(about),
      landed: landed.toSorted((a, b) => compareRisk(a.weighed, b.weighed)).map(({ entry }) => entry),
      caught: rest.filter(({ result, problems }) => isCaught(result, problems)),
      unfinished: rest.filter(({ result, problems }) => !isCaught(result, problems)),
      decisions: asked.value.answer.gates.filter((gate) => isOfRun(gate, about, events)).flatMap(decisionOf),
      questions: asked.value.answer.gates.filter(({ state }) => state === 'open'),
    };
    return ok({ answer, detail: answer });
  },
});

const word = (value: unknown): string => (typeof value === 'string' ? value : '');

/** From the event log, where no agent can write, and from the records of sessions that it has no event of. */
function notedLandings(name: string, events: readonly RunEvent[], own: readonly Session[]): readonly NotedLanding[] {
  const records = new Map(own.map((record) => [record.session, record]));
  const seen = events.flatMap(({ type, session, item, data }): NotedLanding[] => {
    if (type !== 'landed' || session === undefined) return [];
    return [{ item: item ?? records.get(session)?.item ?? '', session, run: name, commit: word(data?.['commit']) }];
  });
  const known = new Set(seen.map(({ session }) => session));
  const more = own.flatMap(({ session, item, result, commit }): NotedLanding[] =>
    known.has(session) || (result !== 'landed' && result !== 'unproved') || commit === null
      ? []
      : [{ item: item ?? '', session, run: name, commit }],
  );
  return [...seen, ...more].toSorted((a, b) => a.session - b.session);
}

type Context = {
  readonly events: readonly RunEvent[];
  readonly own: readonly Session[];
  readonly titles: ReadonlyMap<string, string>;
  readonly catalogue: Catalogue;
};

function landedOf(
  { item, session, commit }: NotedLanding,
  facts: LandedFacts | undefined,
  { events, own, titles, catalogue }: Context,
): { readonly entry: z.output<typeof landedShape>; readonly weighed: Weighed } {
  const record = own.find((one) => one.session === session);
  const manifest = facts?.manifest ?? null;
  const decisions = manifest?.decisions ?? [];
  const proof = manifest?.schema === 2 ? manifest.proof : null;
  const diff = facts?.diff ?? null;
  const warnings = manifest === null ? [] : [...manifest.verdict.warnings, ...manifest.mismatches];
  const weighed: Weighed = {
    isConfirmed: facts?.isConfirmed ?? false,
    strength: facts?.strength ?? null,
    decisions,
    warnings: warnings.length,
    lines: diff && diff.added + diff.removed,
  };
  const at = events.findIndex(({ type, session: of }) => type === 'landed' && of === session);
  const entry = {
    item,
    title: titles.get(item) ?? manifest?.title ?? facts?.subject ?? '',
    session,
    commit,
    risks: risksOf(weighed),
    proof: { strength: weighed.strength, held: proof?.held ?? [], not_possible: proof?.notPossible ?? [] },
    diff,
    warnings: warnings.map((warning) => sentenceOf(warning, catalogue)),
    decisions,
    handed_back: events.filter(
      (event) => event.type === 'checked' && event.session === session && event.data?.['holds'] === false,
    ).length,
    taken_back: at >= 0 && events.slice(at).some((event) => event.type === 'unwound' && event.item === item),
    evidence: record?.evidence ?? null,
    bundle: record?.bundle ?? null,
    cost: sumOf(own.filter((one) => one.session === session || one.item === item)),
  };
  return { entry, weighed };
}

/** A manifest of another version may have a code that this one does not know. */
function sentenceOf(warning: { readonly code: string }, catalogue: Catalogue): string {
  const read = problemSchema.safeParse(warning);
  return read.success ? catalogue.problem(read.data) : warning.code;
}

const endedOf = (session: Session, titles: ReadonlyMap<string, string>): z.output<typeof endedShape> => ({
  item: session.item,
  title: titles.get(session.item ?? '') ?? '',
  session: session.session,
  result: session.result,
  why: session.why,
  problems: session.problems,
  attempt: session.attempt,
  evidence: session.evidence,
  cost: session.cost,
});

const decisionOf = ({ id, item, subject, header, answer }: Gate): z.output<typeof decisionShape>[] =>
  answer === null
    ? []
    : [{ gate: id, item, subject, header, option: answer.option, note: answer.note, by: answer.by, at: answer.at }];

/** Asked by the run, or answered while it was at work. */
function isOfRun({ id, answer }: Gate, { started, ended }: Report['run'], events: readonly RunEvent[]): boolean {
  if (answer === null) return false;
  if (events.some(({ type, data }) => type === 'gate-opened' && data?.['gate'] === id)) return true;
  const at = Date.parse(answer.at);
  return started !== null && at >= Date.parse(started) && (ended === null || at <= Date.parse(ended));
}

function lengthOf({ started, ended, is_live: isLive }: Report['run']): number | null {
  if (started === null || (ended === null && !isLive)) return null;
  return (ended === null ? Date.now() : Date.parse(ended)) - Date.parse(started);
}

/** Sums of cents have no more digits than their parts. */
const MICRO = 1_000_000;

function sumOf(own: readonly Session[]): z.output<typeof costShape> {
  const all = own.map(({ cost }) => cost);
  const known = all.flatMap(({ usd }) => (usd === null ? [] : [usd]));
  const total = (pick: (tokens: (typeof all)[number]['tokens']) => number): number =>
    all.reduce((sum, { tokens }) => sum + pick(tokens), 0);
  const tokens = { input: total((t) => t.input), output: total((t) => t.output), cached: total((t) => t.cached) };
  const usd = Math.round(known.reduce((sum, one) => sum + one, 0) * MICRO) / MICRO;
  return { usd: known.length === 0 && tokens.input + tokens.output > 0 ? null : usd, tokens };
}
