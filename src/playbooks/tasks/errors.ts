// Why an attempt failed, in the categories of the reference (003, Error Handling & Recovery Strategies).
import type { Problem, ProblemCode } from '../../model/verdict.ts';
import type { TaskError } from './facts.ts';
import type { Category } from './log.ts';

/** What is not here is a test that fails. */
const CATEGORY: { readonly [C in ProblemCode]?: Category } = {
  'check-timed-out': 'TIMEOUT',
  'command-missing': 'ENV_SETUP',
  'harness-file-edited': 'TASK_EXEC',
  'config-edited': 'TASK_EXEC',
  'history-rewritten': 'TASK_EXEC',
  'branch-switched': 'TASK_EXEC',
  'nested-repository': 'TASK_EXEC',
  'tree-changed-since-check': 'TASK_EXEC',
};

const MOST_CHARS = 300;

/** On one line, with what the command said last. */
export function errorOf(reason: string, problems: readonly Problem[]): TaskError {
  const [first] = problems;
  if (first === undefined) return { category: 'TASK_EXEC', message: reason };
  const { code, params, ids = [] } = first;
  const known = ['check', 'exit', 'limit', 'count', 'path', 'file'].flatMap((name) =>
    params[name] === undefined ? [] : [`${name}=${params[name]}`],
  );
  const said =
    String(params['tail'] ?? '')
      .trimEnd()
      .split('\n')
      .at(-1)
      ?.trim() ?? '';
  const words = [code, ...known, ...ids.slice(0, 5), ...(said === '' ? [] : [`: ${said}`])]
    .join(' ')
    .replace(' : ', ': ');
  return { category: CATEGORY[code] ?? 'TEST_FAIL', message: words.replace(/\s+/g, ' ').slice(0, MOST_CHARS) };
}

/** As error_log has it. */
export const errorLine = ({ category, message }: TaskError): string => `[${category}] ${message}`;
