// The trailer by which the harness recognizes what it wrote on a forge: the last line of a body. Pure.

const NAME = 'Harness-Key';

/** Body and trailer; a trailer of the same name in the body itself is taken out, so that nothing else can pass for it. */
export function withKey(body: string, key: string): string {
  const rest = plain(body)
    .split('\n')
    .filter((line) => !line.startsWith(`${NAME}:`))
    .join('\n')
    .trim();
  return `${rest}${rest === '' ? '' : '\n\n'}${NAME}: ${key}\n`;
}

/** null: there is none as the last line. */
export function keyOf(body: string | null): string | null {
  const last =
    plain(body ?? '')
      .trimEnd()
      .split('\n')
      .at(-1) ?? '';
  return last.startsWith(`${NAME}: `) ? last.slice(NAME.length + 2).trim() : null;
}

/** The line to add to a body by hand. */
export const keyLine = (key: string): string => `${NAME}: ${key}`;

/** Web forms send lines that end with CR LF; ends of lines and spaces at the end make no difference. */
export const plain = (body: string): string => body.replaceAll('\r\n', '\n');
export const isSameBody = (one: string, other: string): boolean => plain(one).trimEnd() === plain(other).trimEnd();
