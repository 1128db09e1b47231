// What an agent may not ask git for: to publish, to rewrite history, to change what git obeys. The harness commits. Pure.
import { HOLE, type Arg } from './words.ts';

/** A configuration key that makes git run a program, or look elsewhere. */
const RUNS =
  /^(core\.(hookspath|fsmonitor|sshcommand|pager|editor|gitproxy|worktree|attributesfile|askpass)|alias\.|filter\.|credential\.|include|protocol\.|url\.|.*\.(cmd|command|program|helper|process|clean|smudge|driver|textconv|external))/i;
/** Variables that do the same, or stand for another repository. */
export const GIT_VARIABLE =
  /^GIT_(?!AUTHOR_|COMMITTER_|PAGER$|EDITOR$|TERMINAL_PROMPT$|OPTIONAL_LOCKS$|TRACE|MERGE_AUTOEDIT$|SEQUENCE_EDITOR$)/;

type Found = { readonly rule: string; readonly about: string } | null;
export type GitCall = { readonly command: string; readonly args: readonly string[]; readonly folder: Arg | null };

/** The subcommand behind git's own options; a finding where one of them is refused already. */
export function gitCall(words: readonly Arg[]): GitCall | { readonly rule: string; readonly about: string } {
  const texts = words.slice(1).map((arg) => (arg.length === 1 ? (arg[0] ?? '') : HOLE));
  let folder: Arg | null = null;
  for (let at = 0; at < texts.length; at++) {
    const word = texts[at] ?? '';
    if (word === '-c' || word.startsWith('--config-env')) {
      const value = word === '-c' ? (texts[++at] ?? '') : word.replace(/^--config-env=?/, '');
      if (RUNS.test(value) || value.includes(HOLE)) return { rule: 'git-config', about: value };
    } else if (word === '-C') folder = words[++at + 1] ?? [HOLE];
    else if (/^--(git-dir|work-tree|exec-path|namespace|super-prefix)/.test(word)) {
      if (word !== '--exec-path') return { rule: 'git-config', about: word };
    } else if (!word.startsWith('-')) {
      if (word.includes(HOLE)) return { rule: 'command-unknown', about: 'git' };
      return { command: word, args: texts.slice(at + 1), folder };
    }
  }
  return { command: '', args: [], folder };
}

export function gitRule({ command, args }: GitCall): Found {
  const has = (pattern: RegExp): boolean => args.some((arg) => pattern.test(arg));
  const found = (rule: string): Found => ({ rule, about: `git ${command}` });
  const first = args.find((arg) => !arg.startsWith('-')) ?? '';
  switch (command) {
    case 'push':
    case 'send-email':
    case 'send-pack':
    case 'http-push':
    case 'request-pull':
    case 'svn':
    case 'p4':
      return found('git-push');
    case 'config':
      return isReading(args) ? null : found('git-config');
    case 'remote':
      return first === '' || /^(show|get-url)$/.test(first) ? null : found('git-config');
    case 'worktree':
      return first === 'list' ? null : found('git-config');
    case 'submodule':
      return /^(status|summary|update|foreach|)$/.test(first) ? null : found('git-config');
    case 'init':
      return has(/^--(template|separate-git-dir)/) ? found('git-config') : null;
    case 'clone':
      return has(/^(-c|-u|--(config|template|upload-pack|separate-git-dir))/) ? found('git-config') : null;
    case 'fetch':
    case 'ls-remote':
      return has(/^--upload-pack|^ext::/) ? found('git-config') : null;
    case 'hook':
    case 'credential':
    case 'daemon':
    case 'instaweb':
    case 'lfs':
    case 'maintenance':
    case 'sparse-checkout':
      return command === 'lfs' && /^(ls-files|status|env|version|track)$/.test(first) ? null : found('git-config');
    case 'commit':
      return has(/^--(amend|fixup|squash)\b/) ? found('git-history') : null;
    case 'reset':
      return args.some(
        (arg) => !arg.startsWith('-') && /^(HEAD|@)?[~^@]|^HEAD[~^@]|^[0-9a-f]{7,40}$|^origin\/|^ORIG_HEAD$/.test(arg),
      ) && has(/^--(hard|soft|mixed|merge|keep)$|^[^-]/)
        ? found('git-history')
        : null;
    case 'rebase':
    case 'filter-branch':
    case 'filter-repo':
    case 'update-ref':
    case 'symbolic-ref':
    case 'replace':
    case 'prune':
    case 'pull':
    case 'fast-import':
    case 'pack-refs':
    case 'update-index':
    case 'read-tree':
      return command === 'symbolic-ref' && !has(/^-d|^--delete/) && args.filter((a) => !a.startsWith('-')).length <= 1
        ? null
        : command === 'update-index' && !has(/skip-worktree|assume-unchanged|index-info|cacheinfo/)
          ? null
          : found('git-history');
    case 'reflog':
      return /^(expire|delete)$/.test(first) ? found('git-history') : null;
    case 'gc':
      return has(/^--prune/) ? found('git-history') : null;
    case 'branch':
      return has(/^-\w*[dDmMfcCu]|^--(delete|move|force|copy|set-upstream|unset-upstream|edit-description)/)
        ? found('git-branch')
        : null;
    case 'tag':
      return has(/^-\w*[df]|^--(delete|force)/) ? found('git-history') : null;
    case 'switch':
      return found('git-branch');
    case 'checkout':
      return has(/^-\w*[bBd]$|^--(orphan|detach|track)/) ? found('git-branch') : null;
    case 'clean':
      return has(/^-\w*[xX]/) && !has(/^-\w*n|^--dry-run/) ? found('harness-file-removed') : null;
    case 'stash':
      return has(/^(-a|--all|clear|drop)$/)
        ? found(has(/^(clear|drop)$/) ? 'git-history' : 'harness-file-removed')
        : null;
    case 'grep':
      return has(/^(-O|--open-files-in-pager)/) ? found('git-config') : null;
    case 'bundle':
    case 'archive':
      return has(/^--(exec|remote)/) ? found('git-config') : null;
    default:
      return null;
  }
}

/** `git config KEY` and the listings read; a second word would write. */
function isReading(args: readonly string[]): boolean {
  const plain = args.filter((arg) => !arg.startsWith('-'));
  if (args.some((arg) => /^(-l|--list|--get\b|--get-all|--get-regexp|--get-urlmatch|--show-origin)/.test(arg)))
    return true;
  if (/^(get|list)$/.test(plain[0] ?? '')) return true;
  const writes = args.some((arg) =>
    /^(-e|--edit|--add|--unset|--unset-all|--replace-all|--rename-section|--remove-section)$/.test(arg),
  );
  return !writes && plain.length <= 1 && !/^(set|unset|edit|rename-section|remove-section)$/.test(plain[0] ?? '');
}

/** Changes nothing wherever it looks. */
export const GIT_READS =
  /^(status|log|diff|show|blame|ls-files|ls-tree|cat-file|rev-parse|rev-list|describe|shortlog|grep|branch|tag|remote|config|name-rev|merge-base|for-each-ref|count-objects|version|help|ls-remote|)$/;
