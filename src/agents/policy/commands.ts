// The rules for one simple command: which programs are refused, which of their words are written, which are removed. Pure.
import { programOf, rootsOf, type Run } from './run.ts';
import { gitCall, gitRule, GIT_READS, GIT_VARIABLE } from './git.ts';
import { holdsSecrets, isEverything, isIn, readProblem, shown, writeProblem, type Places } from './places.ts';
import { codeProblem } from './code.ts';
import { HOLE, type Arg } from './words.ts';
import { resolve } from 'node:path';

/** Why a command is refused: a rule, and what it is about. */
export type Finding = { readonly rule: string; readonly about: string };

const PROGRAMS: readonly { readonly rule: string; readonly names: RegExp }[] = [
  { rule: 'privilege', names: /^(sudo|doas|su|pkexec|runuser|setpriv|chroot|nsenter|unshare|setcap)$/ },
  {
    rule: 'disk',
    names:
      /^(mkfs(\.\w+)?|mke2fs|fdisk|sfdisk|gdisk|parted|wipefs|mkswap|swapo(n|ff)|u?mount|losetup|cryptsetup|lvremove|vgremove|blkdiscard|hdparm)$/,
  },
  {
    rule: 'machine',
    names:
      /^(shutdown|reboot|halt|poweroff|init|telinit|systemctl|service|insmod|modprobe|rmmod|sysctl|iptables|ip6tables|nft|ufw|useradd|userdel|usermod|groupadd|adduser|deluser|passwd|chpasswd|visudo|apt|apt-get|dpkg|yum|dnf|apk|pacman|zypper|brew|snap|hostnamectl|timedatectl|update-alternatives|ldconfig|launchctl)$/,
  },
  { rule: 'persistence', names: /^(crontab|at|batch|systemd-run|anacron)$/ },
  { rule: 'remote-shell', names: /^(ssh|scp|sftp|mosh|telnet|ncat|socat|ftp|lftp|rsh|rlogin)$/ },
  { rule: 'publish', names: /^(twine|vercel|netlify|heroku|flyctl|ngrok|cloudflared|localtunnel)$/ },
];
/** A program and a word among its first ones. */
const PAIRS: readonly { readonly rule: string; readonly pattern: RegExp }[] = [
  {
    rule: 'publish',
    pattern:
      /^(npm|pnpm|yarn|bun|cargo|gem|poetry|uv|hatch|flit|pdm|vsce|ovsx) (npm )?(publish|unpublish|login|adduser|token|owner|yank|push|deprecate|dist-tag|access)\b/,
  },
  {
    rule: 'publish',
    pattern:
      /^(docker|podman) (image )?(push|login)\b|^helm push\b|^kubectl (apply|create|delete|exec|patch|replace|scale|rollout|drain|edit)\b|^(terraform|tofu|pulumi) (apply|destroy|import|up)\b|^(aws|gcloud|az) /,
  },
  {
    rule: 'publish',
    pattern:
      /^(gh|hub|glab) (?!(pr|issue|run|release|repo|workflow) (view|list|status|diff|checks)\b|--version|help|search)/,
  },
  {
    rule: 'outside-the-lane',
    pattern:
      /^(npm|pnpm) (i|install|add|ci|uninstall|update|link)\b.* (-g|--global)( |$)|^yarn global\b|^npm config set\b|^npm set\b|^pip3? config set\b/,
  },
  {
    rule: 'container',
    pattern: /^(docker|podman|nerdctl) .*(--privileged|--pid[= ]host|docker\.sock|--cap-add|--device)/,
  },
  { rule: 'harness-command', pattern: /^harness(?!( (status|items|help|version|--help|--version|verify)\b|$))/ },
];
/** Set in front of a command they decide what it runs. */
const INJECTED =
  /^(LD_PRELOAD|LD_LIBRARY_PATH|LD_AUDIT|DYLD_\w+|BASH_ENV|ENV|PROMPT_COMMAND|PS4|SHELLOPTS|BASHOPTS|PERL5OPT|PERL5LIB|RUBYOPT|PYTHONSTARTUP|HARNESS_\w+)$/;

export function commandProblem(run: Run, places: Places): Finding | null {
  for (const name of run.sets)
    if (INJECTED.test(name) || GIT_VARIABLE.test(name)) return { rule: 'variable', about: name };
  const touched = redirectionProblem(run, places);
  if (touched !== null || run.words.length === 0) return touched;
  const [first = []] = run.words;
  if (first.some((text) => text.includes(HOLE) || text === '') || first.length !== 1)
    return { rule: 'command-unknown', about: shown(first[0] ?? '') };
  const name = programOf(first);
  const line = [name, ...run.words.slice(1).map(([word = '']) => word)].join(' ');
  const program = PROGRAMS.find(({ names }) => names.test(name)) ?? PAIRS.find(({ pattern }) => pattern.test(line));
  if (program !== undefined && !/ --?(version|help)$/.test(line)) return { rule: program.rule, about: shown(line) };
  return (
    gitProblem(name, run, places) ??
    killProblem(name, run) ??
    codeProblem(name, run, places) ??
    transferProblem(name, run, places) ??
    writtenProblem(name, run, places) ??
    readingProblem(name, run, places)
  );
}

function redirectionProblem(run: Run, places: Places): Finding | null {
  for (const texts of run.writes)
    for (const text of texts) {
      if (/^\/dev\/(tcp|udp)\//.test(text)) return { rule: 'remote-shell', about: shown(text) };
      const found = firstOf(run, (folder) => writeProblem(text, folder, places, { by: 'shell', does: 'write' }));
      if (found !== null) return found;
    }
  for (const text of run.reads.flat()) {
    if (/^\/dev\/(tcp|udp)\//.test(text)) return { rule: 'remote-shell', about: shown(text) };
    const found = firstOf(run, (folder) => readProblem(text, folder, places));
    if (found !== null) return found;
  }
  return null;
}

function gitProblem(name: string, run: Run, places: Places): Finding | null {
  if (name !== 'git') return null;
  const call = gitCall(run.words);
  if ('rule' in call) return { rule: call.rule, about: shown(call.about) };
  const found = gitRule(call);
  if (found !== null) return { rule: found.rule, about: shown([found.about, ...call.args].join(' ')) };
  const folders =
    call.folder === null ? run.folders : call.folder.flatMap((to) => run.folders.map((from) => resolve(from, to)));
  if (call.command === 'init' && folders.some((one) => resolve(one, newFolder(call.args)) === places.lane))
    return { rule: 'git-folder', about: 'git init' };
  if (GIT_READS.test(call.command) || folders.every((one) => isIn(places.lane, one))) return null;
  // Elsewhere only what is thrown away is anybody's to change.
  return firstOf({ ...run, folders }, (folder) =>
    writeProblem('.git-of', folder, places, { by: 'shell', does: 'write' }),
  );
}

/** Where `git init` makes a repository. One in the lane itself, which has its own or is meant to have none, is nobody's to make. */
const newFolder = (args: readonly string[]): string =>
  args.find(
    (arg, at) =>
      !arg.startsWith('-') && !/^(-b|--(initial-branch|object-format|ref-format|template))$/.test(args[at - 1] ?? ''),
  ) ?? '.';

/** Ends by a broad name, or everything: the harness and its other sessions are among what is found. */
function killProblem(name: string, run: Run): Finding | null {
  const words = run.words.slice(1).flat();
  const about = shown([name, ...words].join(' '));
  if (name === 'kill' && words.some((word, at) => at > 0 && /^(-1|0|1|-0)$/.test(word))) return { rule: 'kill', about };
  if (name === 'kill' && words.length === 1 && /^(-1|0|1)$/.test(words[0] ?? '')) return { rule: 'kill', about };
  const plain = words.filter((word) => !word.startsWith('-'));
  if (!/^(pkill|killall|skill|killall5)$/.test(name)) return null;
  const isBroad =
    name === 'killall5' ||
    plain.length === 0 ||
    plain.some((word) => /harness|^node(js)?$|^\.?\*?$|^claude|^(ba|z)?sh$|^git$/i.test(word));
  return isBroad ? { rule: 'kill', about } : null;
}

type Writes = { readonly writes: readonly Arg[]; readonly removes: readonly Arg[]; readonly isDeep: boolean };

/** Files that leave through the network, and what a download is written to is judged as a write. */
function transferProblem(name: string, run: Run, places: Places): Finding | null {
  const words = run.words.slice(1).map((arg) => arg[0] ?? '');
  if (name === 'nc' && words.some((word) => /^-\w*[ec]/.test(word)))
    return { rule: 'remote-shell', about: shown(['nc', ...words].join(' ')) };
  if (name === 'rsync' && words.some((word) => /^[\w.@-]+:|^rsync:/.test(word)))
    return { rule: 'remote-shell', about: shown(words.join(' ')) };
  if (name === 'docker' || name === 'podman')
    for (let at = 0; at < words.length; at++) {
      const mount = /^(-v|--volume|--mount)$/.test(words[at] ?? '')
        ? words[at + 1]
        : /^(-v|--volume=|--mount=)(.+)/.exec(words[at] ?? '')?.[2];
      const source =
        mount === undefined ? undefined : (/(?:source|src)=([^,]+)/.exec(mount)?.[1] ?? mount.split(':')[0]);
      if (source === undefined || !/^[/.~]/.test(source)) continue;
      const found = firstOf(run, (folder) =>
        isIn(places.lane, resolve(folder, source)) ? null : { rule: 'container', path: source },
      );
      if (found !== null) return found;
    }
  return null;
}

function writtenProblem(name: string, run: Run, places: Places): Finding | null {
  const { writes, removes, isDeep } = writtenBy(name, run.words.slice(1));
  for (const text of removes.flat()) {
    const everything = firstOf(run, (folder) =>
      isDeep && !text.startsWith(HOLE) && isEverything(text, folder, places)
        ? { rule: 'remove-everything', path: text }
        : null,
    );
    const found =
      everything ?? firstOf(run, (folder) => writeProblem(text, folder, places, { by: 'shell', does: 'remove' }));
    if (found !== null) return found;
  }
  const does = name === 'mkdir' ? 'make-folder' : 'write';
  for (const text of writes.flat()) {
    const found = firstOf(run, (folder) => writeProblem(text, folder, places, { by: 'shell', does }));
    if (found !== null) return found;
  }
  return null;
}

/** Which words of a command are files it writes or removes. */
function writtenBy(name: string, args: readonly Arg[]): Writes {
  const words = args.map((arg) => arg[0] ?? '');
  const plain = args.filter((_, at) => !/^-./.test(words[at] ?? ''));
  const has = (pattern: RegExp): boolean => words.some((word) => pattern.test(word));
  const after = (pattern: RegExp): readonly Arg[] =>
    args.flatMap((arg, at): readonly Arg[] => {
      if (pattern.test(words[at - 1] ?? '')) return [arg];
      const glued = new RegExp(`(?:${pattern.source.replaceAll('$', '')})=?(.+)`).exec(words[at] ?? '')?.at(-1);
      return glued !== undefined && (words[at] ?? '').startsWith('-') && !pattern.test(words[at] ?? '')
        ? [[glued]]
        : [];
    });
  const last = plain.slice(-1);
  const none: Writes = { writes: [], removes: [], isDeep: false };
  switch (name) {
    case 'rm':
    case 'unlink':
    case 'rmdir':
    case 'shred':
    case 'rimraf':
    case 'trash':
    case 'srm':
      return { writes: [], removes: plain, isDeep: has(/^-\w*[rR]|^--recursive/) || name === 'rimraf' };
    case 'del-cli':
      return { writes: [], removes: plain, isDeep: true };
    case 'mv': {
      const into = after(/^(-t|--target-directory)$/);
      return {
        writes: into.length > 0 ? into : last,
        removes: into.length > 0 ? plain : plain.slice(0, -1),
        isDeep: true,
      };
    }
    case 'cp':
    case 'install':
    case 'ln':
    case 'link': {
      const into = after(/^(-t|--target-directory)$/);
      return { ...none, writes: into.length > 0 ? into : name === 'ln' && plain.length === 1 ? [] : last };
    }
    case 'rsync':
      return { ...none, writes: last, removes: has(/^--delete/) ? last : [], isDeep: true };
    case 'touch':
    case 'mkdir':
    case 'mkfifo':
    case 'mknod':
    case 'tee':
    case 'truncate':
    case 'fallocate':
    case 'sponge':
      return {
        ...none,
        writes: name === 'truncate' || name === 'fallocate' ? plain.slice(has(/^-[sl]$|^--size$/) ? 1 : 0) : plain,
      };
    case 'chmod':
    case 'chown':
    case 'chgrp':
    case 'setfacl':
    case 'chattr': {
      const paths = plain.slice(1);
      return { ...none, writes: paths.length === 0 ? plain : paths };
    }
    case 'dd':
      return {
        ...none,
        writes: args.flatMap((arg) => (arg[0]?.startsWith('of=') === true ? [arg.map((text) => text.slice(3))] : [])),
      };
    case 'sed':
    case 'perl':
    case 'ruby':
      return has(/^-\w*i|^--in-place/) && !has(/^-e$|^-E$/)
        ? { ...none, writes: plain.slice(1) }
        : has(/^-\w*i/)
          ? { ...none, writes: last }
          : none;
    case 'curl':
      return {
        ...none,
        writes: [...after(/^(-o|--output|--output-dir|--dump-header|-D|--cookie-jar|-c|--trace|--trace-ascii)$/)],
      };
    case 'wget':
      return { ...none, writes: after(/^(-O|--output-document|-P|--directory-prefix|-o|--output-file)$/) };
    case 'tar':
      return {
        ...none,
        writes: [...after(/^(-C|--directory)$/), ...(/^-?\w*c\w*f$/.test(words[0] ?? '') ? args.slice(1, 2) : [])],
      };
    case 'unzip':
      return { ...none, writes: after(/^-d$/) };
    case 'zip':
    case '7z':
      return { ...none, writes: plain.slice(0, 1) };
    case 'sort':
      return { ...none, writes: after(/^(-o|--output)$/) };
    case 'split':
    case 'csplit':
      return { ...none, writes: plain.slice(1, 2) };
    case 'find':
      return foundBy(args, words);
    case 'git':
      return words[0] === 'clone' && plain.length > 2 ? { ...none, writes: last } : none;
    default:
      return none;
  }
}

/** `find -delete` removes all that its tests let through; without a test of names that is everything. */
function foundBy(args: readonly Arg[], words: readonly string[]): Writes {
  const roots = rootsOf(args);
  const prints = args.filter((_, at) => /^-(fprint0?|fprintf|fls)$/.test(words[at - 1] ?? ''));
  if (!words.includes('-delete')) return { writes: prints, removes: [], isDeep: false };
  const narrows =
    words.some(
      (word, at) => /^-(i?name|i?path|i?wholename|i?regex)$/.test(word) && !/^[*.]*$/.test(words[at + 1] ?? ''),
    ) || words.some((word) => /^-(newer\w*|[acm](time|min)|empty|size)$/.test(word));
  return { writes: prints, removes: [roots.map((root) => (narrows ? `${root}/${HOLE}` : root))], isDeep: true };
}

/** Programs that read whole folders when they are told to. */
const SEARCHES = /^(grep|egrep|fgrep|rg|ag|ack|tar|zip|7z|cp|rsync|find|du|tree)$/;

function readingProblem(name: string, run: Run, places: Places): Finding | null {
  if (name === 'echo' || name === 'printf') return null;
  const isDeep = SEARCHES.test(name) && !/^(find|du|tree)$/.test(name);
  for (const text of run.words.slice(1).flat())
    for (const part of new Set([text, text.replace(/^[^=\s]*=/, ''), text.replace(/^[^@\s]*@/, '')])) {
      // only what looks like a path: most words are none
      if (!/[/~]|^\.\.?$|^\.\w/.test(part)) continue;
      const found = firstOf(run, (folder) => {
        if (isDeep && holdsSecrets(resolve(folder, part), places)) return { rule: 'secret', path: part };
        return readProblem(part, folder, places);
      });
      if (found !== null) return found;
    }
  return null;
}

function firstOf(
  run: Run,
  judge: (folder: string) => { readonly rule: string; readonly path: string } | null,
): Finding | null {
  for (const folder of run.folders) {
    const problem = judge(folder);
    if (problem !== null) return { rule: problem.rule, about: shown(problem.path) };
  }
  return null;
}
