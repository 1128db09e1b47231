// Which files a simple command reads, writes and removes, by what is known of its program and its options. Pure.
import { isAbsolute, join } from 'node:path';
import type { SimpleCommand } from './commands.ts';
import { UNKNOWN } from './expand.ts';
import type { FileUse } from './paths.ts';
import { gitCall, operandsOf, programOf, searchRoots } from './programs.ts';

type Paths = readonly string[];

/** Options whose value is a file or a folder that is written. */
const OUTPUT_OPTIONS: readonly (readonly [programs: RegExp, option: RegExp])[] = [
  [/^(cp|mv|install|ln|link)$/, /^(-\w*t|--target-directory)$/],
  [/^curl$/, /^(-\w*[oDc]|--(output|output-dir|dump-header|cookie-jar|trace|trace-ascii))$/],
  [/^wget$/, /^(-\w*[OPo]|--(output-document|directory-prefix|output-file))$/],
  [/^tar$/, /^(-\w*C|--directory)$/],
  [/^unzip$/, /^-\w*d$/],
  [/^sort$/, /^(-\w*o|--output)$/],
  [/^find$/, /^-(fprint0?|fprintf|fls)$/],
];
/** Programs that read whole folders. */
const SEARCHES = /^(grep|egrep|fgrep|rg|ag|ack|tar|zip|7z|cp|rsync)$/;

export function filesOf({ words, code, ...redirected }: SimpleCommand): readonly FileUse[] {
  const name = programOf(words);
  const args = words.slice(1);
  const removed = removedBy(name, args);
  const written = writtenBy(name, args);
  const isChanged = (arg: string): boolean => removed.includes(arg) || written.includes(arg);
  const read = name === 'echo' || name === 'printf' ? [] : namedIn(args.filter((arg) => !isChanged(arg)));
  const uses = (does: FileUse['does'], paths: Paths) => paths.map((path) => ({ path, does }));
  return [
    ...uses('write', redirected.writes),
    ...uses('read', redirected.reads),
    ...code.flatMap(({ text, language }) => (language === 'other' ? mentionedIn(text) : [])),
    ...uses('remove', removed),
    ...uses(name === 'mkdir' ? 'make-folder' : 'write', written),
    ...(name === 'git' ? changedByGit(words) : []),
    ...uses(SEARCHES.test(name) ? 'search' : 'read', read),
  ];
}

function removedBy(name: string, args: Paths): Paths {
  const operands = operandsOf(args);
  if (/^(rm|unlink|rmdir|shred|rimraf|trash|srm|del-cli)$/.test(name)) return operands;
  if (name === 'mv') return outputs(name, args).length > 0 ? operands : operands.slice(0, -1);
  if (name === 'rsync') return args.some((arg) => arg.startsWith('--delete')) ? operands.slice(-1) : [];
  if (name !== 'find' || !args.includes('-delete')) return [];
  // Without a test that leaves something out, all that is below the folders is removed.
  const isNarrowed = args.some((arg, at) =>
    /^-(i?name|i?path|i?wholename|i?regex)$/.test(arg)
      ? !/^[*.]*$/.test(args[at + 1] ?? '')
      : /^-(newer\w*|[acm](time|min)|empty|size)$/.test(arg),
  );
  return searchRoots(args).map((root) => (isNarrowed ? `${root}/${UNKNOWN}` : root));
}

/** The operands that programs write; an output option comes before them. */
const WRITTEN: readonly (readonly [programs: RegExp, paths: (operands: Paths, args: Paths) => Paths])[] = [
  [/^(touch|mkdir|mkfifo|mknod|tee|sponge)$/, (operands) => operands],
  [/^(chmod|chown|chgrp|setfacl|chattr)$/, (operands) => (operands.length > 1 ? operands.slice(1) : operands)],
  [/^(mv|cp|install|link|rsync|truncate|fallocate)$/, (operands) => operands.slice(-1)],
  [/^ln$/, (operands) => operands.slice(1).slice(-1)],
  [/^dd$/, (_, args) => args.filter((arg) => arg.startsWith('of=')).map((arg) => arg.slice('of='.length))],
  [/^(sed|perl|ruby)$/, editedInPlace],
  [/^tar$/, (_, args) => (/^-?\w*c\w*f$/.test(args[0] ?? '') ? args.slice(1, 2) : [])],
  [/^(zip|7z)$/, (operands) => operands.slice(0, 1)],
  [/^c?split$/, (operands) => operands.slice(1, 2)],
  [/^git$/, (operands) => (operands[0] === 'clone' ? operands.slice(2).slice(-1) : [])],
];

function writtenBy(name: string, args: Paths): Paths {
  const into = outputs(name, args);
  if (into.length > 0) return into;
  return WRITTEN.find(([programs]) => programs.test(name))?.[1](operandsOf(args), args) ?? [];
}

function editedInPlace(operands: Paths, args: Paths): Paths {
  if (!args.some((arg) => /^(-\w*i|--in-place)/.test(arg))) return [];
  const files = args.filter((arg, at) => !/^-./.test(arg) && !/^(-\w*e|-E)$/.test(args[at - 1] ?? ''));
  return files.length < operands.length ? files : files.slice(1);
}

/** The values of the output options: in the next word, or in the same one behind `=` or the letter. */
function outputs(name: string, args: Paths): Paths {
  const option = OUTPUT_OPTIONS.find(([programs]) => programs.test(name))?.[1];
  if (option === undefined) return [];
  return args.flatMap((arg, at) => {
    if (option.test(args[at - 1] ?? '')) return [arg];
    const [, glued = '', value] = /^(--[\w-]+(?==)|-\w)=?(.+)$/.exec(arg) ?? [];
    return value !== undefined && option.test(glued) && !option.test(arg) ? [value] : [];
  });
}

/** A repository outside of the project is changed only in the temporary folder, and none is made at the top of the project. */
function changedByGit(words: readonly string[]): readonly FileUse[] {
  const { line, folder, args } = gitCall(words);
  if (/^git init\b/.test(line)) {
    const isValue = /^(-b|--(initial-branch|object-format|ref-format|template))$/;
    const made = args.find((arg, at) => !arg.startsWith('-') && !isValue.test(args[at - 1] ?? '')) ?? '.';
    return [{ path: isAbsolute(made) ? made : join(folder, made), does: 'git-init' }];
  }
  return GIT_READS.test(line) ? [] : [{ path: folder, does: 'git' }];
}

/** Words that look like a path, and the parts of words that do: `of=PATH`, `@PATH`. */
const namedIn = (args: Paths): Paths =>
  args
    .flatMap((arg) => [...new Set([arg, arg.replace(/^[^=\s]*=/, ''), arg.replace(/^[^@\s]*@/, '')])])
    .filter((text) => /[/~]|^\.\.?$|^\.\w/.test(text));

/** Subcommands that change nothing. */
const GIT_READS =
  /^git( (status|log|diff|show|blame|ls-files|ls-tree|cat-file|rev-parse|rev-list|describe|shortlog|grep|branch|tag|remote|config|name-rev|merge-base|for-each-ref|count-objects|version|help|ls-remote)( |$)|$)/;

const SYSTEM_FOLDERS = /^\/(etc|usr|bin|sbin|lib|boot|root|var|opt)\//;

/** Paths in the quotes of code. Whether they are read or written is not known; a system folder counts in code that writes. */
function mentionedIn(code: string): readonly FileUse[] {
  const paths = quotedIn(code).filter((text) => text.includes('/') || text.startsWith('.'));
  const isWriting = /write|open\(|append|unlink|rm|rename|mkdir|>/i.test(code);
  return paths
    .filter((path) => !/\s|:\/\/|^\/\//.test(path))
    .map((path) => ({ path, does: isWriting && SYSTEM_FOLDERS.test(path) ? 'write' : 'mention' }));
}

const QUOTED = /"((?:[^"\\\n]|\\.){1,400})"|'((?:[^'\\\n]|\\.){1,400})'|`((?:[^`\\]|\\.){1,400})`/g;
const quotedIn = (code: string): readonly string[] =>
  [...code.slice(0, 32_000).matchAll(QUOTED)].slice(0, 200).map((quoted) => unquoted(quoted[0]));
const unquoted = (text: string): string => text.slice(1, -1).replace(/\\(["'`\\])/g, '$1');

/** Shell lines in the code of another language: quoted texts, and lists of them as in `spawn('git', ['push'])`. */
export function shellLinesIn(code: string): readonly string[] {
  if (!/exec|spawn|system|popen|subprocess|run|call|shell|`|qx|\|/i.test(code)) return [];
  const lists = code.slice(0, 32_000).match(new RegExp(`(?:(?:${QUOTED.source})[\\s,[\\]]*){2,12}`, 'g')) ?? [];
  const lines = [...quotedIn(code), ...lists.map((list) => quotedIn(list).join(' '))];
  return lines.filter((line) => /\S\s+\S/.test(line)).slice(0, 40);
}
