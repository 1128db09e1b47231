// What the briefs of the workflow are composed of: their input, files as quoted documents, facts of state.json as lines.
import { z } from 'zod';
import type { RepositoryView } from '../../../model/repository-view.ts';
import { code, fenced, plain, commandText, section } from '../../session/quote.ts';
import { workflowFileSchema, type WorkflowState } from '../file/state.ts';
import { assignmentSchema, assignmentsOf, PERSONAS, type Persona } from '../table/assignments.ts';

export const briefInput = assignmentSchema.extend({
  file: workflowFileSchema,
  /** For a generator that is sent again: the line of what failed, and the report with the rest. null: it is the first. */
  retry: z.object({ line: z.string(), report: z.string() }).nullable(),
  /** What the user wants changed in the spec; '': nothing. */
  note: z.string(),
  /** Files that fail, allowed by the path validator: for the auto-fix proposer alone. */
  files: z.array(z.string()).readonly(),
});
export type BriefInput = z.output<typeof briefInput>;
export type About = BriefInput & { readonly view: RepositoryView; readonly state: WorkflowState };

/** In characters: a longer document is cut in the prompt, and the rest is read from the file. */
const MAX_DOCUMENT = 60_000;
/** Paths are shown whole: a cut path cannot be opened. */
export const pathText = (path: string): string => code(path, 500);

/** '' where the file is missing or cannot be read. */
export async function textOf(view: RepositoryView, path: string): Promise<string> {
  try {
    return (await view.read(path)) ?? '';
  } catch {
    return '';
  }
}

/** The user's text, whole, in a block that it cannot close. */
export const quotedText = (title: string, text: string): string =>
  section(`## ${title}\n`, [text.trim() === '' ? '(Nothing was said.)' : fenced(text.toWellFormed())]);

/** A file in a block that it cannot close. */
export const document = async (about: About, title: string, path: string): Promise<string> =>
  (await optionalDocument(about, title, path)) || `## ${title} (${pathText(path)})\n\n(There is nothing in this file.)`;
/** The same; '' where the file is missing or empty. */
export async function optionalDocument({ view }: About, title: string, path: string | null): Promise<string> {
  const text = path === null ? '' : await textOf(view, path);
  if (path === null || text.trim() === '') return '';
  const rest = text.length <= MAX_DOCUMENT ? [] : ['This is the beginning; read the rest in the file.'];
  return section(`## ${title} (${pathText(path)})\n`, [fenced(text.slice(0, MAX_DOCUMENT).toWellFormed()), ...rest]);
}
export const documents = (about: About, files: readonly (readonly [title: string, path: string])[]) =>
  Promise.all(files.map(([title, path]) => document(about, title, path)));

export const spec = (about: About): Promise<string> => document(about, 'Spec', `${about.state.docs_path}spec.md`);
export const qaFeedback = (about: About): Promise<string> =>
  about.state.round > 1
    ? document(about, 'QA Feedback', `${about.state.docs_path}qa_report.md`)
    : Promise.resolve('## QA Feedback\n\n(First round)');

export const PERSONA_TITLES: { readonly [P in Persona]: string } = {
  architect: 'the Architect',
  'senior-developer': 'the Senior Developer',
  'qa-specialist': 'the QA Specialist',
};
/** The files of the stage's sessions in this mode, and their authors. */
export const writtenIn = (stage: 'propose' | 'critique', { mode, docs_path: docs }: WorkflowState) =>
  assignmentsOf(stage, mode, docs).flatMap(({ role, persona, output }) => {
    const by = PERSONAS.find((one) => one === (persona ?? role));
    return by === undefined ? [] : [{ by, output }];
  });

const FACTS = {
  repository: ({ repo_path: path }) => `Repository: ${pathText(path || '.')}`,
  language: ({ lang }) => `Main programming language: ${plain(lang, 20)}`,
  scope: ({ scope }) => `Scope: ${code(scope, 200)}`,
  'max files': ({ max_files: most }) => `Files changed at most: ${most}`,
  round: ({ round, max_rounds: most }) => `Round: ${round} of ${most}`,
  tests: ({ test_cmd: test }) => `Tests: ${test === null ? 'there is no command' : commandText(test)}`,
  build: ({ build_cmd: build }) => `Build: ${build === null ? 'there is no command' : commandText(build)}`,
} as const satisfies { readonly [fact: string]: (state: WorkflowState) => string };

/** The user's language comes first: every role writes something that the user reads. */
export const facts = ({ state }: About, ...names: readonly (keyof typeof FACTS)[]): string =>
  section('## Facts\n', [
    `- \`user_lang\`: ${code(state.user_lang, 20)}`,
    ...names.map((name) => `- ${FACTS[name](state)}`),
  ]);
