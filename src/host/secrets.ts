// What a secret looks like: known values from an environment, and the forms of common tokens. Finds secrets; redact.ts masks them.
// Every pattern is bounded or anchored, so that hostile text takes linear time too.
import { Buffer } from 'node:buffer';
import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';

/** `from`–`to` is the whole match with the words that identify it, `maskFrom`–`to` the secret itself. */
export type Secret = { readonly from: number; readonly maskFrom: number; readonly to: number; readonly kind: string };

export type Environment = { readonly [name: string]: string | undefined };

/** No match is longer than this, except a known value. */
export const LONGEST_SHAPE = 16_384;
const SHORTEST_VALUE = 8;
/** At most this much of a private key is masked after its first line. */
const LONGEST_PEM = 12_000;

const SECRET_NAME = /KEY|TOKEN|SECRET|PASS|AUTH|CREDENTIAL|DSN/i;
/** The location of a secret is no secret, and our own markers are in every log line on purpose. */
const LOCATION_NAME = /^HARNESS_|_(?:FILE|PATH|DIR|HOME|SOCK)$|^XAUTHORITY$/i;

/** Whether a variable of this name holds a secret. */
export const isSecretName = (name: string): boolean => SECRET_NAME.test(name) && !LOCATION_NAME.test(name);

/** Group 1, if there is one, stays readable. */
const SHAPES: readonly { readonly kind: string; readonly pattern: RegExp }[] = [
  { kind: 'api-key', pattern: /\bsk-[A-Za-z0-9_-]{20,512}/g },
  { kind: 'stripe', pattern: /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,256}/g },
  { kind: 'github', pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{60,255})/g },
  { kind: 'gitlab', pattern: /\bglpat-[A-Za-z0-9_-]{20,255}/g },
  { kind: 'aws', pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g },
  { kind: 'google', pattern: /\bAIza[A-Za-z0-9_-]{35}/g },
  { kind: 'slack', pattern: /\bxox[abeprs]-[A-Za-z0-9-]{20,512}/g },
  { kind: 'npm', pattern: /\bnpm_[A-Za-z0-9]{36}/g },
  { kind: 'hugging-face', pattern: /\bhf_[A-Za-z0-9]{30,255}/g },
  // Looks back for the whole class instead of a word boundary: else each "-eyJ" inside one long word would start a match.
  {
    kind: 'jwt',
    pattern: /(?<![\w-])eyJ[\w-]{10,4096}\.eyJ[\w-]{10,4096}\.[\w-]{10,4096}/g,
  },
  { kind: 'url', pattern: /(:\/\/[^\s:@/"'`]{0,100}:)[^\s@/"'`]{3,256}(?=@)/g },
  {
    kind: 'authorization',
    pattern: /(\bauthorization["']?\s{0,3}[:=]\s{0,3}["']?(?:basic|bearer|token)\s{1,3})[A-Za-z0-9._~+/=-]{8,4096}/gi,
  },
  { kind: 'bearer', pattern: /(\bbearer\s{1,3})[A-Za-z0-9._~+/=-]{20,4096}/gi },
  {
    kind: 'assigned',
    pattern:
      /((?:api[_-]?key|secret(?:[_-]?access)?(?:[_-]?key)?|token|passw(?:or)?d)["']?\s{0,3}[:=]\s{0,3}["']?)[A-Za-z0-9_/+=.~-]{16,512}/gi,
  },
];

export type SecretFinder = {
  /** Ordered by `from`; matches may overlap. */
  readonly find: (text: string) => readonly Secret[];
  /** No match is longer than this. */
  readonly longest: number;
};

/** Finds the secret values of this environment, and the common forms. */
export function secretFinder(env: Environment): SecretFinder {
  const known = knownValues(env);
  const knownIn = finderOf(known);
  return {
    longest: Math.max(LONGEST_SHAPE, ...[...known.keys()].map(({ length }) => length)),
    find: (text) => [...shapesIn(text), ...knownIn(text)].sort((a, b) => a.from - b.from || a.maskFrom - b.maskFrom),
  };
}

/** Finds texts; overlapping ones of the same beginning count once. */
function finderOf(known: ReadonlyMap<string, string>): (text: string) => readonly Secret[] {
  if (known.size === 0) return () => [];
  const texts = [...known.keys()].sort((a, b) => b.length - a.length);
  // The pattern only has the beginnings: whole values can be too long for a pattern, and its error message would show them.
  const heads = Map.groupBy(texts, (text) => text.slice(0, SHORTEST_VALUE));
  const pattern = new RegExp([...heads.keys()].map(escaped).join('|'), 'g');
  return (text) => {
    const found: Secret[] = [];
    pattern.lastIndex = 0;
    for (let head = pattern.exec(text); head !== null; head = pattern.exec(text)) {
      const from = head.index;
      const value = heads.get(head[0])?.find((one) => text.startsWith(one, from));
      if (value !== undefined)
        found.push({ from, maskFrom: from, to: from + value.length, kind: known.get(value) ?? 'known' });
      pattern.lastIndex = from + (value?.length ?? 1);
    }
    return found;
  };
}

/** Finds values of this environment that are not written by chance; null: there are none. `kind` is the name of the variable. */
export function environmentSecrets(env: Environment): ((text: string) => readonly Secret[]) | null {
  const known = knownValues(Object.fromEntries(Object.entries(env).filter(([name, value]) => isTelling(name, value))));
  return known.size === 0 ? null : finderOf(known);
}

/** Names of what surrounds a secret and is none itself, unless it has a password in it. */
const SURROUNDING_NAME =
  /_(?:URL|URI|ENDPOINT|HOST|ISSUER|AUDIENCE|MODE|TYPE|METHOD|ALGORITHM|NAME|USER|USERNAME|EMAIL|DATE)$/i;
const PASSWORD_IN_URL = /:\/\/[^\s/@]*:[^\s/@]+@/;
const SHORT = 12;

/** A common word, a number or a folder of this machine appears in honest work by itself: masked where it is shown, but no reason to refuse. */
function isTelling(name: string, value = ''): boolean {
  const text = value.trim();
  if (SURROUNDING_NAME.test(name) && !PASSWORD_IN_URL.test(text)) return false;
  if (text.length < SHORT && /^(?:[a-z]+|[A-Z]+|[A-Z][a-z]+|\d+)$/.test(text)) return false;
  return !(isAbsolute(text) && existsSync(text));
}

/** Finds by form alone. */
export function shapesIn(text: string): readonly Secret[] {
  const found: Secret[] = [];
  for (const { kind, pattern } of SHAPES)
    for (const match of text.matchAll(pattern)) {
      const kept = match[1]?.length ?? 0;
      const from = match.index;
      found.push({ from, maskFrom: from + kept, to: from + match[0].length, kind });
    }
  return [...found, ...privateKeysIn(text)];
}

/** A key without its end (cut off, or not received yet) is masked as far as its lines look like one. */
function privateKeysIn(text: string): readonly Secret[] {
  const found: Secret[] = [];
  const body = /(?:(?:\s|\\[nrt]){0,8}[A-Za-z0-9+/=]{16,128}){0,90}/y;
  let nextEnd = -1;
  let done = 0;
  for (const match of text.matchAll(/-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----/g)) {
    const from = match.index;
    if (from < done) continue;
    const start = from + match[0].length;
    // The same text is never searched for the end twice.
    if (nextEnd !== Infinity && nextEnd < start) nextEnd = text.indexOf('-----END ', start);
    if (nextEnd === -1) nextEnd = Infinity;
    const close = nextEnd - start <= LONGEST_PEM ? text.slice(nextEnd + 9, nextEnd + 80).indexOf('-----') : -1;
    if (close !== -1) done = nextEnd + 9 + close + 5;
    else {
      body.lastIndex = start;
      done = start + (body.exec(text)?.[0].length ?? 0);
    }
    found.push({ from, maskFrom: from, to: done, kind: 'private-key' });
  }
  return found;
}

/** Every form in which a known value is likely to be written → the name of its variable. */
function knownValues(env: Environment): ReadonlyMap<string, string> {
  const known = new Map<string, string>();
  for (const [name, raw] of Object.entries(env)) {
    const value = raw?.trim() ?? '';
    if (!isSecretName(name) || value.length < SHORTEST_VALUE) continue;
    const lines = value.includes('\n') ? value.split(/\r?\n/).filter((line) => line.length >= 16) : [];
    for (const text of [value, ...lines].flatMap(encodings)) if (!known.has(text)) known.set(text, name);
  }
  return known;
}

function encodings(value: string): readonly string[] {
  const json = JSON.stringify(value).slice(1, -1);
  const url = encodeURIComponent(value.toWellFormed());
  return [
    value,
    json,
    JSON.stringify(json).slice(1, -1), // a tool's JSON inside ours
    url,
    url.replaceAll('%20', '+'),
    ...[0, 1, 2].flatMap((offset) => base64Core(value, offset)),
  ];
}

/** The base64 characters that depend on this value alone when `offset` (mod 3) other bytes precede it. */
function base64Core(value: string, offset: number): readonly string[] {
  const bytes = Buffer.from(value, 'utf8');
  const whole = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  const core = whole.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
