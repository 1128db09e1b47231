// The name of a task in paths and branches (reference 004, Step 1: slug, docs_path, branch): lower case, ASCII, at most 50 characters.

const LONGEST = 50;
/** Step 8, Safety Guard: `memory` belongs to somebody else; a slug of this name would never be cleaned up. */
const RESERVED = 'memory';
export const OUTPUT_BASE = 'docs/harness';

/**
 * Where the reference is silent: runs of blanks and hyphens become one hyphen and none stands at an end (a path that begins
 * with one reads as an option), and a task that has nothing to write in ASCII is named by a digest of its words.
 */
export function slugOf(task: string): string {
  const words = ascii(task.toLowerCase())
    .replace(/[^\w\s-]/g, '')
    .replace(/[\s-]+/g, '-');
  const slug = trimmed(trimmed(words).slice(0, LONGEST));
  return slug === '' || slug === RESERVED ? `task-${slug || digest(task)}` : slug;
}

export const branchOf = (slug: string): string => `harness/${slug}`;
/** With its last slash, as state.json has it. `outputDir`: of `--output-dir`, checked and without its last slash. */
export const docsPathOf = (slug: string, outputDir: string | null = null): string =>
  `${outputDir ?? OUTPUT_BASE}/${slug}/`;

const trimmed = (slug: string): string => slug.replace(/^[-_]+|[-_]+$/g, '');

function ascii(text: string): string {
  const spelt = Array.from(text.normalize('NFC'), (sign) => LETTERS.get(sign) ?? hangul(sign) ?? sign);
  return spelt
    .join('')
    .normalize('NFKD')
    .replace(/[^\p{ASCII}]/gu, '')
    .toLowerCase(); // of what only its decomposition makes a letter
}

/** What no decomposition leads to ASCII. Each pair: a letter, its spelling. */
const spelled = (pairs: string): readonly (readonly [string, string])[] =>
  pairs.split(' ').map((pair) => [pair.slice(0, 1), pair.slice(1)]);
const LETTERS: ReadonlyMap<string, string> = new Map([
  ...spelled('ßss æae œoe øo łl đd ðd þth ıi ŋng ħh ŧt ſs'),
  ...spelled(
    'аa бb вv гg дd еe ёe жzh зz иi йy кk лl мm нn оo пp рr сs тt уu фf хkh цts чch шsh щshch ъ ыy ь эe юyu яya',
  ),
  ...spelled('іi їyi єye ґg ўu јj љlj њnj ћc ђdj џdz'),
  ...spelled('αa βv γg δd εe ζz ηi θth ιi κk λl μm νn ξx οo πp ρr σs ςs τt υy φf χch ψps ωo'),
  ...spelled('άa έe ήi ίi όo ύy ώo ϊi ϋy ΐi ΰy'),
]);

/** Hangul syllables are counted through: lead, vowel, tail (Revised Romanization, letter by letter). */
const FIRST_SYLLABLE = 0xac00;
const LEADS = 'g kk n d tt r m b pp s ss  j jj ch k t p h'.split(' ');
const VOWELS = 'a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i'.split(' ');
const TAILS = ' k k k n n n t l k m l l l p l m p p t t ng t t k t p t'.split(' ');

function hangul(sign: string): string | null {
  const place = (sign.codePointAt(0) ?? 0) - FIRST_SYLLABLE;
  const tails = TAILS.length;
  const syllables = LEADS.length * VOWELS.length * tails;
  if (place < 0 || place >= syllables) return null;
  const lead = LEADS[Math.floor(place / (VOWELS.length * tails))] ?? '';
  const vowel = VOWELS[Math.floor(place / tails) % VOWELS.length] ?? '';
  return lead + vowel + (TAILS[place % tails] ?? '');
}

/** FNV-1a, 32 bits: short, and the same on every machine. */
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0');
}
