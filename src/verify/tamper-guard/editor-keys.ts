// Keys that editors write into git's configuration on their own, whenever they look at a branch. Git obeys none of them; without an exception for
// them no session would land while such an editor is open.

/** One line, and nothing in the value that could reach into the next one. */
const KEY = /^\s*(?:vscode|gk|github|gh)-[a-z-]+\s*=\s*[\w./@:#+, -]*$/i;
const BRANCH = /^\[branch "[^"\\]*"\]$/;

/** Whether two texts of a configuration differ in such keys at most. */
export const differsInEditorKeys = (one: string, other: string): boolean => withoutKeys(one) === withoutKeys(other);

/** A section is left out where another one or the end follows: in any other place its head would take over the lines below. */
function withoutKeys(text: string): string {
  const lines = text.split('\n').filter((line) => !KEY.test(line));
  const isEnd = (n: number): boolean => n >= lines.length || (n === lines.length - 1 && lines[n] === '');
  return lines.filter((line, n) => !BRANCH.test(line) || !(isEnd(n + 1) || lines[n + 1]?.startsWith('['))).join('\n');
}
