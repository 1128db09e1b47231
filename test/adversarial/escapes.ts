// Ways out of the box, as commands a test of an agent could run, with what becomes of each at every level. The table is
// the claim: escape.test.ts tries every row for real, and docs/sandbox.md shows the same rows.
import type { Exit } from '../../src/host/process.ts';
import type { BoxLevel } from '../../src/host/sandbox/level.ts';
import type { Stage } from './stage.ts';

export type Fate = 'stopped' | 'gets through';
export type Escape = {
  readonly part: string;
  readonly name: string;
  /** A shell line; `$NODE` is Node, paths of the stage are in the environment (stage.ts). */
  readonly line: string;
  /** Whether it got out, seen from outside after the command has ended. */
  readonly escaped: (stage: Stage, exit: Exit) => boolean | Promise<boolean>;
  readonly fates: { readonly [L in BoxLevel]: Fate };
  readonly limits?: { readonly wallMs?: number; readonly floodBytes?: number };
  /** Runs as an environment script does: what it starts stays. */
  readonly leaveRunning?: true;
  /** Runs as the program of an agent does, whose own settings are in `.claude`. */
  readonly isAgent?: true;
  /** In the linked work tree instead of the main one. */
  readonly linked?: true;
  /** Gets through only where the system lets ordinary users make namespaces. */
  readonly needsNamespaces?: true;
  /** Gets through only for root: permission bits stop others. */
  readonly needsRoot?: true;
};

const fates = (bwrap: Fate, srt: Fate, pidns: Fate, none: Fate): Escape['fates'] => ({ bwrap, srt, pidns, none });
const FILES = fates('stopped', 'stopped', 'gets through', 'gets through');
const PROCESSES = fates('stopped', 'stopped', 'stopped', 'gets through');
const ALWAYS = fates('stopped', 'stopped', 'stopped', 'stopped');
const NEVER = fates('gets through', 'gets through', 'gets through', 'gets through');
/** `srt` has neither: environment scripts and agents run outside of it. */
const SCRIPTS_AND_AGENTS = fates('stopped', 'gets through', 'gets through', 'gets through');

const shows = (text: string) => (_stage: Stage, exit: Exit) => exit.stdout.includes(text);
const at = (path: string) => (stage: Stage) => stage.isThere(path);
const either = (one: string, other: string) => (stage: Stage) => stage.isThere(one) || stage.isThere(other);
const changed = (path: string) => (stage: Stage) => stage.isChanged(path);
/** By permission bits only: a setting is never written, not even where it could be. */
const KERNEL = {
  name: 'change settings of the kernel',
  line: 'for f in sys/kernel/core_pattern sys/kernel/modprobe sys/vm/overcommit_memory sys/fs/file-max sysrq-trigger mtrr; do test -w "/proc/$f" && echo reached; done',
  needsRoot: true,
  escaped: shows('reached'),
} as const;
const OTHER_PROC = {
  name: 'mount another /proc to change settings of the kernel',
  line: 'unshare -Urmpf --mount-proc sh -c "test -w /proc/sys/kernel/core_pattern && echo reached"',
  needsRoot: true,
  needsNamespaces: true,
  escaped: shows('reached'),
} as const;
/** Prints `reached` once the connection is open. */
const connect = (options: string): string =>
  `"$NODE" -e 'const s = require("net").connect(${options}, () => { console.log("reached"); s.destroy(); }); s.on("error", () => {}); s.setTimeout(2000, () => s.destroy())'`;

export const ESCAPES: readonly Escape[] = [
  // files
  {
    part: 'Files',
    name: 'write a file beside the work tree',
    line: 'echo x > "$SEEN/new"',
    escaped: at('seen/new'),
    fates: FILES,
  },
  {
    part: 'Files',
    name: 'write through a symbolic link',
    line: 'ln -s "$SEEN/victim" link; echo x > link',
    escaped: changed('seen/victim'),
    fates: FILES,
  },
  {
    part: 'Files',
    name: 'write through a hard link',
    line: 'ln "$SEEN/victim" hard && echo x > hard',
    escaped: changed('seen/victim'),
    fates: FILES,
  },
  {
    part: 'Files',
    name: 'move a file of outside into the work tree',
    line: 'mv "$SEEN/victim" taken',
    escaped: changed('seen/victim'),
    fates: FILES,
  },
  {
    part: 'Files',
    name: 'change a file of the home folder',
    line: 'echo x >> "$HOME/.bashrc"',
    escaped: changed('home/.bashrc'),
    fates: FILES,
  },
  {
    part: 'Files',
    name: 'write into the temporary folder of the machine',
    line: 'echo x > "$TOP/new"',
    escaped: at('new'),
    fates: FILES,
  },
  {
    part: 'Files',
    name: 'write through a link in the report folder',
    line: 'ln -s "$SEEN/victim" "$REPORT/out"; echo x > "$REPORT/out"',
    escaped: changed('seen/victim'),
    fates: FILES,
  },
  {
    part: 'Files',
    name: 'put a link in the place of the report folder',
    line: 'rm -rf "$REPORT"; ln -s "$SEEN" "$REPORT"',
    escaped: (stage) => stage.isLink('report'),
    fates: FILES,
  },
  // secrets
  {
    part: 'Secrets',
    name: 'read ssh keys',
    line: 'cat "$HOME/.ssh/id_ed25519"',
    escaped: shows('key-of-ada'),
    fates: FILES,
  },
  {
    part: 'Secrets',
    name: 'read cloud credentials',
    line: 'cat "$HOME/.aws/credentials" "$HOME/.config/gcloud/token"',
    escaped: shows('cloud-of-ada'),
    fates: FILES,
  },
  {
    part: 'Secrets',
    name: 'read the log-in of an agent',
    line: 'cat "$HOME/.claude/.credentials.json" "$HOME/.codex/auth.json"',
    escaped: shows('agent-of-ada'),
    fates: FILES,
  },
  {
    part: 'Secrets',
    name: 'read an unknown dotfile',
    line: 'cat "$HOME/.unheard-of/token"',
    escaped: shows('unheard-of-ada'),
    fates: FILES,
  },
  {
    part: 'Secrets',
    name: 'read a file without a leading dot in the home folder',
    line: 'cat "$HOME/diary.txt"',
    escaped: shows('diary-of-ada'),
    fates: NEVER,
  },
  {
    part: 'Secrets',
    name: "read the harness's private folder",
    line: 'cat .git/harness/journal',
    escaped: shows('journal-of-the-harness'),
    fates: FILES,
  },
  {
    part: 'Secrets',
    name: 'read a key from its own environment',
    line: 'env',
    escaped: shows('key-in-the-environment'),
    fates: ALWAYS,
  },
  {
    part: 'Secrets',
    name: 'read the environment of another process',
    line: 'tr "\\0" "\\n" < "/proc/$VICTIM/environ"',
    escaped: shows('environment-of-the-victim'),
    fates: PROCESSES,
  },
  // git
  {
    part: 'Git',
    name: 'plant a hook',
    line: 'echo evil > .git/hooks/post-commit',
    escaped: at('main/.git/hooks/post-commit'),
    fates: FILES,
  },
  {
    part: 'Git',
    name: 'set core.fsmonitor',
    line: 'git config core.fsmonitor ./evil.sh',
    escaped: changed('main/.git/config'),
    fates: FILES,
  },
  {
    part: 'Git',
    name: 'install a filter',
    line: 'echo "* filter=evil" > .git/info/attributes',
    escaped: at('main/.git/info/attributes'),
    fates: FILES,
  },
  {
    part: 'Git',
    name: 'commit past the harness',
    line: 'git -c user.name=x -c user.email=x@x commit -q --allow-empty -m past',
    escaped: (stage) => stage.git('log', '-1', '--format=%s') === 'past',
    fates: FILES,
  },
  {
    part: 'Git',
    name: 'make a branch',
    line: 'git update-ref refs/heads/evil HEAD',
    escaped: (stage) => stage.git('branch', '--list', 'evil') !== '',
    fates: FILES,
  },
  {
    part: 'Git',
    name: 'add what git obeys and is not there (commondir, config.worktree)',
    line: 'echo /nowhere > .git/commondir; echo "[core] fsmonitor = ./evil.sh" > .git/config.worktree',
    escaped: either('main/.git/commondir', 'main/.git/config.worktree'),
    fates: FILES,
  },
  {
    part: 'Git',
    name: 'put another .git in its place',
    line: 'mv .git away && git init -q',
    escaped: at('main/away'),
    fates: FILES,
  },
  {
    part: 'Git',
    name: 'plant a hook from a linked work tree',
    line: 'echo evil > "$(git rev-parse --git-common-dir)/hooks/post-commit"',
    linked: true,
    escaped: at('main/.git/hooks/post-commit'),
    fates: FILES,
  },
  {
    part: 'Git',
    name: 'point a linked work tree at another repository',
    line: 'echo "gitdir: /nowhere" > .git',
    linked: true,
    escaped: changed('linked/.git'),
    fates: FILES,
  },
  // network and sockets
  {
    part: 'Network',
    name: 'connect to a server of this machine',
    line: connect('{ host: "127.0.0.1", port: +process.env.TCP }'),
    escaped: shows('reached'),
    fates: FILES,
  },
  {
    part: 'Network',
    name: 'send a datagram, as name service does',
    line: `"$NODE" -e 'const s = require("dgram").createSocket("udp4"); s.on("error", () => s.close()); s.send("x", +process.env.UDP, "127.0.0.1", () => s.close())'`,
    escaped: (stage) => stage.heardDatagram(),
    fates: FILES,
  },
  {
    part: 'Network',
    name: 'a socket file in a temporary folder (agents, desktops, daemons)',
    line: connect('process.env.TOP + "/host.sock"'),
    escaped: shows('reached'),
    fates: FILES,
  },
  {
    part: 'Network',
    name: 'a socket without a file',
    line: connect('"\\0" + process.env.ABSTRACT'),
    escaped: shows('reached'),
    fates: FILES,
  },
  {
    part: 'Network',
    name: 'a socket file in a folder that may be read',
    line: connect('process.env.SEEN + "/host.sock"'),
    escaped: shows('reached'),
    fates: fates('gets through', 'stopped', 'gets through', 'gets through'),
  },
  // processes
  {
    part: 'Processes',
    name: 'signal a process of outside',
    line: 'kill -TERM "$VICTIM"',
    escaped: (stage) => stage.isVictimDead(),
    fates: PROCESSES,
  },
  {
    part: 'Processes',
    name: 'write into the memory of a process of outside',
    line: `"$NODE" -e 'require("fs").openSync("/proc/" + process.env.VICTIM + "/mem", "r+"); console.log("reached")'`,
    escaped: shows('reached'),
    fates: PROCESSES,
  },
  {
    part: 'Processes',
    name: 'a daemon in a session of its own',
    line: 'setsid sleep "$MARK" >/dev/null 2>&1 & exit 0',
    escaped: (stage) => stage.isAlive(),
    fates: ALWAYS,
  },
  {
    part: 'Processes',
    name: 'a daemon that forks twice and clears its environment',
    line: '(env -i setsid sh -c "sleep $MARK & exec sleep $MARK" >/dev/null 2>&1 &) ; sleep 0.3',
    escaped: (stage) => stage.isAlive(),
    fates: PROCESSES,
  },
  {
    part: 'Processes',
    name: 'a hundred such daemons at once',
    line: 'for n in $(seq 100); do (env -i setsid sleep "$MARK" >/dev/null 2>&1 &); done; sleep 0.3',
    escaped: (stage) => stage.isAlive(),
    fates: PROCESSES,
  },
  {
    part: 'Processes',
    name: 'outlive the time limit, deaf to TERM',
    line: `trap '' TERM; (env -i setsid sh -c "trap '' TERM; while :; do sleep $MARK; done" >/dev/null 2>&1 &); while :; do sleep 1; done`,
    limits: { wallMs: 800 },
    escaped: (stage) => stage.isAlive(),
    fates: PROCESSES,
  },
  // rights
  {
    part: 'Rights',
    name: 'mount something over a folder',
    line: 'unshare -Urm sh -c "mount -t tmpfs x \\"$SEEN\\" && echo reached"',
    escaped: shows('reached'),
    needsNamespaces: true,
    fates: FILES,
  },
  {
    part: 'Rights',
    name: 'make what is read-only writable again',
    line: 'mount -o remount,bind,rw "$SEEN"; echo x > "$SEEN/new"',
    escaped: at('seen/new'),
    fates: FILES,
  },
  {
    part: 'Rights',
    name: 'become root of a new user namespace',
    line: 'unshare -Ur echo reached',
    escaped: shows('reached'),
    needsNamespaces: true,
    fates: FILES,
  },
  { part: 'Rights', ...KERNEL, fates: FILES },
  { part: 'Rights', ...OTHER_PROC, fates: FILES },
  // resources
  {
    part: 'Resources',
    name: 'print without end',
    line: 'yes',
    limits: { floodBytes: 1_000_000 },
    escaped: (_stage, { ended }) => ended !== 'flood',
    fates: ALWAYS,
  },
  {
    part: 'Resources',
    name: 'run without end',
    line: 'while :; do :; done',
    limits: { wallMs: 800 },
    escaped: (_stage, { ended }) => ended !== 'wall',
    fates: ALWAYS,
  },
  {
    part: 'Resources',
    name: 'fill the disk from inside the work tree',
    line: 'head -c 30000000 /dev/zero > large',
    escaped: (stage) => stage.sizeOf('main/large') === 30_000_000,
    fates: NEVER,
  },
  // environment scripts
  {
    part: 'Environment scripts',
    name: 'write a file beside the work tree',
    line: 'echo x > "$SEEN/new"; echo x > "$TOP/new"',
    leaveRunning: true,
    escaped: (stage) => stage.isThere('seen/new') || stage.isThere('new'),
    fates: SCRIPTS_AND_AGENTS,
  },
  {
    part: 'Environment scripts',
    name: 'plant a hook',
    line: 'echo evil > .git/hooks/post-commit',
    leaveRunning: true,
    escaped: at('main/.git/hooks/post-commit'),
    fates: SCRIPTS_AND_AGENTS,
  },
  {
    part: 'Environment scripts',
    name: 'read ssh keys',
    line: 'cat "$HOME/.ssh/id_ed25519"',
    leaveRunning: true,
    escaped: shows('key-of-ada'),
    fates: SCRIPTS_AND_AGENTS,
  },
  {
    part: 'Environment scripts',
    name: 'signal a process of outside',
    line: 'kill -TERM "$VICTIM"',
    leaveRunning: true,
    escaped: (stage) => stage.isVictimDead(),
    fates: SCRIPTS_AND_AGENTS,
  },
  {
    part: 'Environment scripts',
    name: 'outlive the box with a daemon that clears its environment',
    line: '(env -i setsid sleep "$MARK" >/dev/null 2>&1 &) ; sleep 0.3',
    leaveRunning: true,
    escaped: async (stage) => {
      await stage.box.close();
      return stage.isAlive();
    },
    fates: SCRIPTS_AND_AGENTS,
  },
  { part: 'Environment scripts', ...KERNEL, leaveRunning: true, fates: SCRIPTS_AND_AGENTS },
  {
    part: 'Environment scripts',
    name: 'reach the network',
    line: connect('{ host: "127.0.0.1", port: +process.env.TCP }'),
    leaveRunning: true,
    escaped: shows('reached'),
    fates: NEVER,
  },

  // agents
  ...[
    {
      name: 'write a file beside the work tree',
      line: 'echo x > "$SEEN/new"; echo x > "$TOP/new"',
      escaped: either('seen/new', 'new'),
    },
    {
      name: 'change a file of the home folder',
      line: 'echo evil >> "$HOME/.bashrc"',
      escaped: changed('home/.bashrc'),
    },
    { name: 'read ssh keys', line: 'cat "$HOME/.ssh/id_ed25519"', escaped: shows('key-of-ada') },
    { name: 'read the log-in of another agent', line: 'cat "$HOME/.codex/auth.json"', escaped: shows('agent-of-ada') },
    {
      name: "read the harness's private folder",
      line: 'cat .git/harness/journal',
      escaped: shows('journal-of-the-harness'),
    },
    { name: 'plant a hook', line: 'echo evil > .git/hooks/post-commit', escaped: at('main/.git/hooks/post-commit') },
    { name: 'set core.fsmonitor', line: 'git config core.fsmonitor ./evil.sh', escaped: changed('main/.git/config') },
    { name: 'make a branch', line: 'git branch mine', escaped: (stage: Stage) => stage.git('branch').includes('mine') },
    {
      name: 'signal a process of outside',
      line: 'kill -TERM "$VICTIM"',
      escaped: (stage: Stage) => stage.isVictimDead(),
    },
    {
      name: 'outlive its program with a daemon that clears its environment',
      line: '(env -i setsid sleep "$MARK" >/dev/null 2>&1 &) ; sleep 0.3',
      escaped: (stage: Stage) => stage.isAlive(),
    },
    KERNEL,
    OTHER_PROC,
  ].map((one): Escape => ({ part: 'Agents', ...one, isAgent: true, fates: SCRIPTS_AND_AGENTS })),
  {
    part: 'Agents',
    name: 'write its own settings',
    line: 'echo evil >> "$HOME/.claude/.credentials.json"',
    isAgent: true,
    escaped: changed('home/.claude/.credentials.json'),
    fates: NEVER,
  },
  {
    part: 'Agents',
    name: 'reach the network',
    line: connect('{ host: "127.0.0.1", port: +process.env.TCP }'),
    isAgent: true,
    escaped: shows('reached'),
    fates: NEVER,
  },
];

/** As docs/sandbox.md has it. */
export function tableOf(escapes: readonly Escape[]): string {
  const rows = escapes.map(
    ({ part, name, fates: f }) => `| ${part} | ${name} | ${f.bwrap} | ${f.srt} | ${f.pidns} | ${f.none} |`,
  );
  return ['| part | attempt | bwrap | srt | pidns | none |', '|---|---|---|---|---|---|', ...rows, ''].join('\n');
}
