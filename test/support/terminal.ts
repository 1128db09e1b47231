// The program on a terminal of a given size, with what a person does there: types, presses Ctrl-C, changes the size, writes a file.
import { spawn } from 'node:child_process';
import { PROGRAM, type Repo } from './repo.ts';

/** Done once, when the output since the last step contains `seen`. */
export type TerminalStep = { readonly seen: string } & (
  | { readonly type: string }
  | { readonly columns: number }
  | { readonly write: string }
);
export type Screened = { readonly code: number | null; readonly raw: string };

/** `raw`: all bytes that the terminal got. */
export function onTerminalOf(
  repo: Repo,
  {
    columns,
    steps,
    env = {},
  }: { readonly columns: number; readonly steps: readonly TerminalStep[]; readonly env?: NodeJS.ProcessEnv },
  ...args: readonly string[]
): Promise<Screened> {
  const asked = { command: [process.execPath, PROGRAM, ...args], columns, steps };
  return new Promise((done, fail) => {
    const child = spawn('python3', ['-c', TERMINAL, JSON.stringify(asked)], {
      cwd: repo.root,
      env: { ...repo.env, TERM: 'xterm-256color', ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let raw = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (raw += text));
    child.on('error', fail);
    child.on('close', (code) => done({ code, raw }));
  });
}

const TERMINAL = `
import fcntl, json, os, pty, signal, struct, sys, termios
asked = json.loads(sys.argv[1])
steps = list(asked["steps"])
def size(fd, columns):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
pid, fd = pty.fork()
if pid == 0:
    size(0, asked["columns"])
    os.execvp(asked["command"][0], asked["command"])
seen = ""
while True:
    try:
        chunk = os.read(fd, 65536)
    except OSError:
        break
    if not chunk:
        break
    sys.stdout.buffer.write(chunk)
    seen += chunk.decode("utf-8", "replace")
    if steps and steps[0]["seen"] in seen:
        step = steps.pop(0)
        seen = ""
        if "type" in step:
            os.write(fd, step["type"].encode())
        elif "columns" in step:
            size(fd, step["columns"])
            os.kill(pid, signal.SIGWINCH)
        else:
            open(step["write"], "w").close()
_, status = os.waitpid(pid, 0)
sys.stdout.flush()
sys.exit(os.waitstatus_to_exitcode(status))
`;
