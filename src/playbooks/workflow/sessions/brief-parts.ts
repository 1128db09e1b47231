// What the briefs of the workflow are put together from: its input, files as quoted documents, facts of state.json as lines.
import { z } from 'zod';
import type { Json } from '../../../model/json.ts';
import type { World } from '../../../model/world.ts';
import { code, fenced, plain } from '../../session/quote.ts';
import { commandText, section } from '../../session/sections.ts';
import type { BriefInput } from './brief-input.ts';
import { PHASES, RESULTS, MODES } from '../file/state.ts';
import { ROLES } from '../table/roles.ts';
import { sessionsOf, type Persona } from '../table/sessions.ts';

const command = z.string().nullable();
/** Of BriefInput what a prompt may be made of. */
export const briefInput = z.object({
  role: z.enum(ROLES),
  persona: z.enum(['architect', 'senior-developer', 'qa-specialist']).nullable(),
  output: z.string(),
  state: z.object({
    task: z.string(),
    mode: z.enum(MODES),
    user_lang: z.string(),
    has_git: z.boolean().nullable(),
    repo_path: z.string(),
    phase: z.enum(PHASES).nullable(),
    round: z.number(),
    max_rounds: z.number(),
    max_files: z.number(),
    scope: z.string(),
    lang: z.string(),
    build_cmd: command,
    test_cmd: command,
    lint_cmd: command,
    type_check_cmd: command,
    verify: z.object({ layer1_result: z.enum(RESULTS).nullable() }),
    docs_path: z.string(),
    conventions: z.string().nullable(),
  }),
  retry: z.object({ line: z.string(), report: z.string() }).nullable(),
  note: z.string(),
  files: z.array(z.string()),
});
export type About = z.output<typeof briefInput> & { readonly world: World };
type State = About['state'];
/** As a session carries it: what no prompt is made of stays behind. */
export function briefInputOf(input: BriefInput): Json {
  const given: z.input<typeof briefInput> = { ...input, files: [...input.files] };
  return briefInput.parse(given);
}

/** A longer document is cut in the prompt; the rest is read from the file. */
const MOST_SIGNS = 60_000;
/** Paths are shown whole: a cut one leads nowhere. */
export const pathText = (path: string): string => code(path, 500);

/** Reference, Discovery Notes Injection: missing, or not to be read, is empty. */
export async function textOf(world: World, path: string): Promise<string> {
  try {
    return (await world.read(path)) ?? '';
  } catch {
    return '';
  }
}

/** A person's words, whole, in a block that they cannot close. */
export const said = (title: string, text: string): string =>
  section(`## ${title}\n`, [text.trim() === '' ? '(Nothing was said.)' : fenced(text.toWellFormed())]);

/** A file as it is, in a block that it cannot close. */
export const document = async ({ world }: About, title: string, path: string): Promise<string> =>
  shown(title, path, await textOf(world, path)) ||
  `## ${title} (${pathText(path)})\n\n(There is nothing in this file.)`;
/** The same; nothing at all where there is nothing. */
export const noted = async ({ world }: About, title: string, path: string | null): Promise<string> =>
  path === null ? '' : shown(title, path, await textOf(world, path));
function shown(title: string, path: string, text: string): string {
  if (text.trim() === '') return '';
  const rest = text.length <= MOST_SIGNS ? [] : ['This is the beginning; read the rest in the file.'];
  return section(`## ${title} (${pathText(path)})\n`, [fenced(text.slice(0, MOST_SIGNS).toWellFormed()), ...rest]);
}
export const documents = (about: About, files: readonly (readonly [title: string, path: string])[]) =>
  Promise.all(files.map(([title, path]) => document(about, title, path)));

export const spec = (about: About): Promise<string> => document(about, 'Spec', `${about.state.docs_path}spec.md`);
/** "qa_report.md if round > 1 else (First round)". */
export const qaFeedback = (about: About): Promise<string> =>
  about.state.round > 1
    ? document(about, 'QA Feedback', `${about.state.docs_path}qa_report.md`)
    : Promise.resolve('## QA Feedback\n\n(First round)');

const TITLES: { readonly [P in Persona]: string } = {
  architect: 'the Architect',
  'senior-developer': 'the Senior Developer',
  'qa-specialist': 'the QA Specialist',
};
export const titleOf = (persona: Persona): string => TITLES[persona];
/** What the sessions of this stage wrote in this mode, by whom. */
export const writtenIn = (stage: 'propose' | 'critique', { mode, docs_path: docs }: State) =>
  sessionsOf(stage, mode, docs).map(({ role, persona, output }) => ({ by: persona ?? (role as Persona), output }));

const FACTS = {
  repository: ({ repo_path: path }) => `Repository: ${pathText(path || '.')}`,
  language: ({ lang }) => `Main programming language: ${plain(lang, 20)}`,
  scope: ({ scope }) => `Scope: ${code(scope, 200)}`,
  'max files': ({ max_files: most }) => `Files changed at most: ${most}`,
  round: ({ round, max_rounds: most }) => `Round: ${round} of ${most}`,
  tests: ({ test_cmd: test }) => `Tests: ${test === null ? 'there is no command' : commandText(test)}`,
  build: ({ build_cmd: build }) => `Build: ${build === null ? 'there is no command' : commandText(build)}`,
} as const satisfies { readonly [fact: string]: (state: State) => string };

/** The language of the person comes first: every role writes something that they read. */
export const facts = ({ state }: About, ...names: readonly (keyof typeof FACTS)[]): string =>
  section('## Facts\n', [
    `- \`user_lang\`: ${code(state.user_lang, 20)}`,
    ...names.map((name) => `- ${FACTS[name](state)}`),
  ]);
