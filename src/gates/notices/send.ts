// Sends a notice on one channel. Every failure is a sentence, never an exception: a notifier that is broken must not break a run.
import { agentEnvironment } from '../../host/environment.ts';
import { runCommand, shellLine } from '../../host/process.ts';
import type { Channel, Notice } from '../../model/notice.ts';

/** Values of the section `notify`; null or false: the channel is not used. */
export type Channels = {
  readonly command: string | null;
  readonly webhook: string | null;
  readonly ntfy: string | null;
  readonly slack: string | null;
  readonly desktop: boolean;
};

export const channelsIn = (channels: Channels): readonly Channel[] =>
  (['command', 'webhook', 'ntfy', 'slack', 'desktop'] as const).filter(
    (name) => channels[name] !== null && channels[name] !== false,
  );

const COMMAND_MS = 30_000;
const HTTP_MS = 10_000;

/** null: it was sent; else why not. `cwd`: where a command runs. */
export async function sendOn(
  channel: Channel,
  channels: Channels,
  notice: Notice,
  cwd: string,
): Promise<string | null> {
  try {
    switch (channel) {
      case 'command':
        return await byCommand(shellLine(channels.command ?? ''), notice, cwd);
      case 'desktop':
        return await byCommand(onDesktop(notice), notice, cwd);
      case 'webhook':
        return await post(channels.webhook ?? '', { schema: 'harness.notice/1', ...notice }, notice.token);
      case 'slack':
        return await post(channels.slack ?? '', { text: `*${notice.title}*\n${bodyOf(notice)}` }, notice.token);
      case 'ntfy':
        return await byNtfy(channels.ntfy ?? '', notice);
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const bodyOf = ({ text, command }: Notice): string => `${text}\n${command}`.trim();

const SCRIPT = ['on run argv', 'display notification (item 2 of argv) with title (item 1 of argv)', 'end run'].flatMap(
  (line) => ['-e', line],
);
const onDesktop = (notice: Notice): readonly string[] =>
  process.platform === 'darwin'
    ? ['osascript', ...SCRIPT, notice.title, bodyOf(notice)]
    : ['notify-send', '--app-name=harness', notice.title, bodyOf(notice)];

/** The notice is JSON on its input, and in variables for a line of shell. */
async function byCommand(argv: readonly string[], notice: Notice, cwd: string): Promise<string | null> {
  const env = agentEnvironment();
  if (!env.ok) return env.failure.reason;
  const about = { kind: notice.kind, title: notice.title, text: notice.text, command: notice.command };
  const variables = Object.entries({ ...about, token: notice.token, item: notice.item ?? '' }).map(
    ([name, value]): [string, string] => [`HARNESS_NOTICE_${name.toUpperCase()}`, value],
  );
  const done = await runCommand({
    argv,
    cwd,
    env: { ...env.value, ...Object.fromEntries(variables) },
    token: `notice#${notice.run}#${notice.token}`,
    wallMs: COMMAND_MS,
    idleMs: null,
    keepBytes: 2_000,
    floodBytes: null,
    stdin: `${JSON.stringify({ schema: 'harness.notice/1', ...notice })}\n`,
  });
  if (done.code === 0) return null;
  const words = done.stderr.trim().split('\n').at(-1) ?? '';
  return [`exit ${done.code ?? done.ended ?? '?'}`, words].filter((part) => part !== '').join(': ');
}

/** A topic of ntfy.sh, or the address of one on any server. Sent as JSON, since titles are not limited to ASCII there. */
async function byNtfy(value: string, notice: Notice): Promise<string | null> {
  const filled = fill(value);
  if (typeof filled !== 'string') return filled.why;
  const address = new URL(filled.includes('://') ? filled : `https://ntfy.sh/${filled}`);
  const topic = decodeURIComponent(address.pathname.split('/').at(-1) ?? '');
  address.pathname = address.pathname.slice(0, address.pathname.lastIndexOf('/') + 1);
  const priority = notice.kind === 'done' ? 3 : 4;
  const message = bodyOf(notice);
  return post(
    address.href,
    { topic, title: notice.title, message, priority, tags: ['harness', notice.kind] },
    notice.token,
  );
}

async function post(value: string, body: object, token: string): Promise<string | null> {
  const address = fill(value);
  if (typeof address !== 'string') return address.why;
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': token },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(HTTP_MS),
  });
  const said = await response.text();
  return response.ok ? null : `HTTP ${response.status} ${said.slice(0, 200)}`.trim();
}

/** An address is often a secret: `${NAME}` in it is a variable of the user. */
function fill(value: string): string | { readonly why: string } {
  const filled = agentEnvironment({ ADDRESS: value });
  if (filled.ok) return filled.value['ADDRESS'] ?? '';
  return { why: `\${${String(filled.failure.params['name'])}} is not set` };
}
