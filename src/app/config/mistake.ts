// A mistake in a configuration before its position in the file is known, and how values are displayed.
import type { Params } from '../../model/failure.ts';
import type { Reason } from '../../model/reasons.ts';

/** Keys as a file spells them, and indexes of list entries. */
export type Path = readonly (string | number)[];

export type ConfigMistake = {
  readonly reason: Reason;
  readonly path: Path;
  /** Whether the key or its value is wrong. */
  readonly point: 'key' | 'value';
  readonly params: Params;
};

export const dotted = (path: Path): string => path.join('.');

const MAX_SHOWN = 60;

/** A value as JSON, truncated; values of environment variables are never shown. */
export function shown(value: unknown, path: Path): string {
  if (path.includes('env')) return typeof value === 'object' ? 'a map or list' : `${typeof value} (hidden)`;
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? 'nothing');
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 1)}…` : text;
}

export const invalid = (path: Path, value: unknown, allowed: string): ConfigMistake => ({
  reason: 'config-value-invalid',
  path,
  point: 'value',
  params: { key: dotted(path), got: shown(value, path), allowed },
});

/** `why`: a code; `found`: what is there instead. */
export const missing = (path: Path, allowed: string, why = '', found = ''): ConfigMistake => ({
  reason: 'config-value-missing',
  path,
  point: 'key',
  params: { key: dotted(path), allowed, why, found },
});

export const notSupported = (path: Path, value: unknown, allowed: string, part: string): ConfigMistake => ({
  reason: 'config-not-supported',
  path,
  point: 'key',
  params: { key: dotted(path), got: shown(value, path), allowed, part },
});
