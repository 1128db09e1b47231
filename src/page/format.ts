// Figures and times as people read them.
export const money = (usd: number | null): string =>
  usd === null ? '–' : usd === 0 ? '$0' : usd < 0.01 ? '<$0.01' : `$${usd.toFixed(2)}`;

export function count(value: number): string {
  if (value < 1_000) return String(value);
  if (value < 100_000) return `${(value / 1_000).toFixed(value < 10_000 ? 1 : 0)}k`;
  if (value < 1_000_000) return `${Math.round(value / 1_000)}k`;
  return `${(value / 1_000_000).toFixed(1)}M`;
}

export function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60 === 0 || minutes >= 10 ? '' : `${seconds % 60} s`}`.trim();
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

export function ago(iso: string | null, now: number): string {
  if (iso === null) return '';
  const ms = now - Date.parse(iso);
  return ms < 5_000 ? 'now' : `${span(ms)} ago`;
}

const two = (n: number): string => String(n).padStart(2, '0');
/** In the reader's own time zone. */
export function clock(at: string | number): string {
  const date = new Date(at);
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
export function day(at: string | number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/**
 * Text of agents and tools, shown as text: control characters and what changes the direction of reading stay visible as a box.
 */
export const plain = (text: string): string =>
  text
    // oxlint-disable-next-line no-control-regex -- they are what is removed
    .replaceAll(/\u001b\[[0-9;?]*[ -/]*[@-~]/g, '')
    // oxlint-disable-next-line no-control-regex -- the same
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '\u25a1');

/** Paths of the repository as they are in it, also those of the work tree beside it that agents may have. */
export function local(text: string, repo: string): string {
  if (repo === '') return text;
  const at = repo.lastIndexOf('/');
  const beside = `${repo.slice(0, at)}/.${repo.slice(at + 1)}-harness`;
  return text.replaceAll(`${repo}/`, '').replaceAll(`${beside}/`, '');
}
