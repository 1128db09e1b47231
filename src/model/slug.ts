// Names of files, folders and branches that are made from a title. Pure, and the same on every machine.

const MAX_LENGTH = 50;

/**
 * Lower case ASCII letters and digits with single hyphens between the words, at most 50 characters: one plain segment of a path on every system. Letters
 * of other scripts are transliterated where that is possible. A title of which nothing is left is named by its `kind` and a digest.
 *
 * `joins`: the rule that the reference has for tasks of a workflow. Underscores stay, and other characters are left out instead of parting words, so
 * that `OAuth 2.0` is `oauth-20`; by the common rule it is `oauth-2-0`.
 */
export function slugOf(title: string, kind: string, { joins = false }: { readonly joins?: boolean } = {}): string {
  const text = ascii(title.toLowerCase());
  const words = joins ? text.replace(/[^\w\s-]/g, '').replace(/[\s-]+/g, '-') : text.replace(/[^a-z0-9]+/g, '-');
  return trimmed(trimmed(words).slice(0, MAX_LENGTH)) || `${kind}-${digest(title)}`;
}

/** A path that begins with a hyphen reads as an option. */
const trimmed = (slug: string): string => slug.replace(/^[-_]+|[-_]+$/g, '');

function ascii(text: string): string {
  const letters = Array.from(text.normalize('NFC'), (char) => LETTERS.get(char) ?? hangul(char) ?? char);
  return letters
    .join('')
    .normalize('NFKD')
    .replace(/[^\p{ASCII}]/gu, '')
    .toLowerCase(); // of letters that appear only by decomposition
}

/** Letters without a decomposition to ASCII. Each pair: a letter, its spelling. */
const spellings = (pairs: string): readonly (readonly [string, string])[] =>
  pairs.split(' ').map((pair) => [pair.slice(0, 1), pair.slice(1)]);
const LETTERS: ReadonlyMap<string, string> = new Map([
  ...spellings('ßss æae œoe øo łl đd ðd þth ıi ŋng ħh ŧt ſs'),
  ...spellings(
    'аa бb вv гg дd еe ёe жzh зz иi йy кk лl мm нn оo пp рr сs тt уu фf хkh цts чch шsh щshch ъ ыy ь эe юyu яya',
  ),
  ...spellings('іi їyi єye ґg ўu јj љlj њnj ћc ђdj џdz'),
  ...spellings('αa βv γg δd εe ζz ηi θth ιi κk λl μm νn ξx οo πp ρr σs ςs τt υy φf χch ψps ωo'),
  ...spellings('άa έe ήi ίi όo ύy ώo ϊi ϋy ΐi ΰy'),
]);

/** Hangul syllables are numbered by lead, vowel and tail (Revised Romanization, letter by letter). */
const FIRST_SYLLABLE = 0xac00;
const LEADS = 'g kk n d tt r m b pp s ss  j jj ch k t p h'.split(' ');
const VOWELS = 'a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i'.split(' ');
const TAILS = ' k k k n n n t l k m l l l p l m p p t t ng t t k t p t'.split(' ');

function hangul(char: string): string | null {
  const index = (char.codePointAt(0) ?? 0) - FIRST_SYLLABLE;
  const tails = TAILS.length;
  const syllables = LEADS.length * VOWELS.length * tails;
  if (index < 0 || index >= syllables) return null;
  const lead = LEADS[Math.floor(index / (VOWELS.length * tails))] ?? '';
  const vowel = VOWELS[Math.floor(index / tails) % VOWELS.length] ?? '';
  return lead + vowel + (TAILS[index % tails] ?? '');
}

/** FNV-1a, 32 bits: short, and the same on every machine. */
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0');
}
