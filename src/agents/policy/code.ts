// Code that a command hands to an interpreter (`node -e`, `python -c`): not understood, only searched for texts that name
// what is closed, and for shell lines that would be refused. Says nothing about code in files. Pure.
import { entryOf } from '../../model/entry.ts';
import { programOf, type Run } from './run.ts';
import { readProblem, shown, writeProblem, type Places } from './places.ts';
import { HOLE } from './words.ts';

const INTERPRETERS: { readonly [name: string]: RegExp } = {
  node: /^(-\w*[ep]|--eval|--print)$/,
  nodejs: /^(-\w*[ep]|--eval|--print)$/,
  bun: /^(-e|--eval)$/,
  deno: /^eval$/,
  tsx: /^(-e|--eval)$/,
  python: /^-\w*c$/,
  python3: /^-\w*c$/,
  python2: /^-\w*c$/,
  pypy3: /^-\w*c$/,
  perl: /^-\w*[eE]$/,
  ruby: /^-\w*e$/,
  php: /^-r$/,
  lua: /^-e$/,
  osascript: /^-e$/,
};
const AWKS = /^[gmn]?awk$/;

/** The code in the words of a command, or on its stdin; empty where there is none. */
export function codeOf(run: Run): readonly string[] {
  const name = programOf(run.words[0]).replace(/^(python|pypy)(\d)\.\d+$/, '$1$2');
  const args = run.words.slice(1);
  if (AWKS.test(name)) return args.slice(0, 4).flat();
  const option = entryOf(INTERPRETERS, name);
  if (option === undefined) return [];
  const at = args.findIndex(([word = '']) => option.test(word));
  if (at >= 0) return args[at + 1] ?? [HOLE];
  const isFed = args.every(([word = '']) => word === '-' || /^-[uBEsSI]+$/.test(word));
  if (!isFed || run.stdin === null || run.stdin.kind === 'local') return [];
  return run.stdin.kind === 'text' ? run.stdin.texts : [HOLE];
}

export function codeProblem(
  name: string,
  run: Run,
  places: Places,
): { readonly rule: string; readonly about: string } | null {
  const codes = codeOf(run);
  for (const code of codes) {
    // what comes over a pipe from who knows where is not run; a variable inside of written code may be
    if (code === HOLE) return AWKS.test(name) ? null : { rule: 'unknown-code', about: name };
    for (const text of quotedIn(code)) {
      if (!/^[~/.]|\//.test(text) || /\s/.test(text) || /^\/\/|:\/\//.test(text)) continue;
      const path = text.startsWith('~/') ? places.home + text.slice(1) : text;
      for (const folder of run.folders) {
        // whether it reads or writes cannot be told: what nobody has to write from a line of code is refused
        const problem =
          readProblem(path, folder, places) ?? writeProblem(path, folder, places, { by: 'shell', does: 'write' });
        if (
          problem !== null &&
          /^(git-folder|harness-file|secret|path-denied|device)$/.test(problem.rule) &&
          !path.startsWith('/dev/')
        )
          return { rule: problem.rule, about: shown(text) };
        const isSystem = /^\/(etc|usr|bin|sbin|lib|boot|root|var|opt)\//.test(path);
        if (
          problem?.rule === 'outside-the-lane' &&
          isSystem &&
          /write|open\(|append|unlink|rm|rename|mkdir|>/i.test(code)
        )
          return { rule: problem.rule, about: shown(text) };
      }
    }
  }
  return null;
}

/** Shell lines in code: quoted texts of more than one word, and lists of words joined, as `spawn('git', ['push'])` has them. */
export function shellIn(run: Run): readonly string[] {
  return codeOf(run).flatMap((code) => {
    if (code === HOLE || !/exec|spawn|system|popen|subprocess|run|call|shell|`|qx|\|/i.test(code)) return [];
    const texts = quotedIn(code);
    const lists = [...code.matchAll(/[[(]((?:\s*(['"])[^'"\\\n]{1,200}\2[\s,[\]]*){2,12})/g)].map((list) =>
      quotedIn(list[1] ?? '').join(' '),
    );
    return [...texts.filter((text) => /\S\s+\S/.test(text)), ...lists].slice(0, 40);
  });
}

function quotedIn(code: string): readonly string[] {
  return [
    ...code
      .slice(0, 32_000)
      .matchAll(/"((?:[^"\\\n]|\\.){1,400})"|'((?:[^'\\\n]|\\.){1,400})'|`((?:[^`\\]|\\.){1,400})`/g),
  ]
    .slice(0, 200)
    .map((match) => (match[1] ?? match[2] ?? match[3] ?? '').replace(/\\(["'`\\])/g, '$1'));
}
