// Replaced objects in git's file of packed refs: the only lines of it that no honest process changes during a session.
const IS_REPLACED = /^[0-9a-f]+ refs\/replace\//;
const nameOf = (line: string): string => line.slice(line.indexOf(' ') + 1);

export const replacedIn = (text: string): readonly string[] =>
  text.includes(' refs/replace/') ? text.split('\n').filter((line) => IS_REPLACED.test(line)) : [];

/** The text with these lines as the only ones of replaced objects, in git's order. */
export function withReplaced(text: string, lines: readonly string[]): string {
  const kept: string[] = [];
  let isDropped = false;
  for (const line of text.split('\n')) {
    // A line with `^` says more of the one before it.
    if (!line.startsWith('^')) isDropped = IS_REPLACED.test(line);
    if (!isDropped && line !== '') kept.push(line);
  }
  for (const line of lines) {
    const at = kept.findIndex((one) => /^[0-9a-f]/.test(one) && nameOf(one) > nameOf(line));
    kept.splice(at < 0 ? kept.length : at, 0, line);
  }
  return `${kept.join('\n')}\n`;
}
