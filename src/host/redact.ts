// Masks secrets in everything that is stored or shown. What a secret looks like is in secrets.ts.
import type { Json } from '../model/json.ts';
import { secretFinder, type Environment, type Secret } from './secrets.ts';

/** Replaces secrets by their kind, never by a part of them: `[masked:github]`, or the variable's name for a known value. */
export type Redactor = (text: string) => string;

/** Masks the secret values of `env` and everything that looks like a token. Takes time linear in the text. */
export function createRedactor(env: Environment): Redactor {
  const { find } = secretFinder(env);
  return (text) => masked(text, find(text), 0, text.length);
}

export type StreamRedactor = {
  /** The part of the text so far that can be shown; the rest is held until more text follows. */
  push(chunk: string): string;
  /** What is still held. */
  end(): string;
};

/** The same for text that comes in chunks: a secret that is cut between two chunks is masked too. */
export function createStreamRedactor(env: Environment): StreamRedactor {
  const { find, longest } = secretFinder(env);
  /** The last character that was shown (patterns look back by one), then what is held. */
  let rest = '';
  let shown = 0;
  const show = (secrets: readonly Secret[], to: number): string => {
    const text = masked(rest, secrets, shown, to);
    rest = rest.slice(Math.max(0, to - 1));
    shown = Math.min(to, 1);
    return text;
  };
  return {
    push(chunk) {
      rest += chunk;
      // Holds twice as much as it keeps, so that each character is searched about twice, however small the chunks.
      if (rest.length - shown < 2 * longest) return '';
      const secrets = find(rest);
      return show(secrets, cutOutside(secrets, afterBlank(rest, rest.length - longest, shown), shown));
    },
    end: () => show(find(rest), rest.length),
  };
}

/** Masks every string in a value, names included, and completely any text under a name that only holds secrets. */
export function redactJson(redact: Redactor, value: Json): Json {
  if (typeof value === 'string') return redact(value);
  if (isList(value)) return value.map((one) => redactJson(redact, one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      redact(name),
      SECRET_FIELD.test(name) && typeof one === 'string' && one.length >= 8
        ? '[masked:field]'
        : redactJson(redact, one),
    ]),
  );
}

const SECRET_FIELD = /(?:api_?key|private_?key|secret|passw(?:or)?d|credentials?|(?:access|auth|refresh|id)_?token)$/i;

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

/** The text from `from` to `to` with the secrets in it masked; overlapping ones become one mask. */
function masked(text: string, secrets: readonly Secret[], from: number, to: number): string {
  let done = from;
  let result = '';
  for (const { maskFrom, to: end, kind } of [...secrets].sort((a, b) => a.maskFrom - b.maskFrom)) {
    if (maskFrom >= to) break;
    const begin = Math.max(maskFrom, from);
    if (end <= begin) continue;
    if (begin >= done) result += `${text.slice(done, begin)}[masked:${kind}]`;
    done = Math.max(done, Math.min(end, to));
  }
  return result + text.slice(done, to);
}

/** A position after a blank, if there is one: the second half of a word that is cut may look like the start of a token. */
function afterBlank(text: string, wanted: number, least: number): number {
  for (let at = wanted; at > least; at -= 1) if (/\s/.test(text.charAt(at - 1))) return at;
  return wanted;
}

/** The nearest position before `wanted` outside of every secret; if that is no progress, the end of the secrets there. */
function cutOutside(secrets: readonly Secret[], wanted: number, least: number): number {
  let start = -1;
  let end = -1;
  for (const { from, to } of secrets) {
    if (from >= end) {
      if (end > wanted) break;
      start = from;
      end = to;
    } else end = Math.max(end, to);
  }
  if (start >= wanted || end <= wanted) return wanted;
  return start > least ? start : end;
}
