// The script in the shell command that the program makes of every command: `/bin/bash -c 'git status'`. Pure.

/** The script as the model wrote it; the whole line where it is not such a command. */
export function scriptOf(line: string): string {
  const wrapped = /^(?:\S*\/)?(?:ba|z|da|k)?sh -l?c (.+)$/s.exec(line)?.[1];
  return (wrapped === undefined ? null : unquoted(wrapped)) ?? line;
}

/** One word of POSIX shell without its quotes; null: it is more than one word, or malformed. */
function unquoted(word: string): string | null {
  let text = '';
  for (let at = 0; at < word.length; at++) {
    const sign = word.charAt(at);
    if (sign === "'") {
      const end = word.indexOf("'", at + 1);
      if (end < 0) return null;
      text += word.slice(at + 1, end);
      at = end;
    } else if (sign === '"') {
      const end = endOfDouble(word, at + 1);
      if (end < 0) return null;
      text += word.slice(at + 1, end).replaceAll(/\\([$`"\\])|\\\n/g, '$1');
      at = end;
    } else if (sign === '\\') text += word.charAt(++at);
    else if (/[\s$`&|;<>()]/.test(sign)) return null;
    else text += sign;
  }
  return text;
}

function endOfDouble(word: string, from: number): number {
  for (let at = from; at < word.length; at++) {
    const sign = word.charAt(at);
    if (sign === '\\') at++;
    else if (sign === '"') return at;
    else if (sign === '$' || sign === '`') return -1; // an expansion: the program does not quote like that
  }
  return -1;
}
