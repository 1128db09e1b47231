// A prompt as the program sends it on. The program marks only the end of what it sends, so that a beginning which every session of a role has would be paid
// for again in each; where its own marks are known, that beginning gets one too.
import type { PromptBlock } from './sdk.ts';

/**
 * `stable`: length of the beginning that other sessions have too. Its mark must last as long as those of the program, or the request is refused: with a key
 * they last five minutes, unless a variable says otherwise; with a login, or through a cloud, the program decides. So these get none.
 */
export function promptOf(
  text: string,
  stable: number,
  env: { readonly [name: string]: string },
): string | readonly PromptBlock[] {
  if (stable <= 0 || stable >= text.length || !isMarkKnown(env)) return text;
  return [
    { type: 'text', text: text.slice(0, stable), cache_control: { type: 'ephemeral' } },
    { type: 'text', text: text.slice(stable) },
  ];
}

const KEY = 'ANTHROPIC_API_KEY';
/** How long marks last, and where requests go. */
const DECIDES = /PROMPT_CACHING|^CLAUDE_CODE_(?:USE_|OAUTH_)/;

function isMarkKnown(env: { readonly [name: string]: string }): boolean {
  const set = Object.keys(env).filter((name) => (env[name] ?? '') !== '');
  return set.includes(KEY) && !set.some((name) => DECIDES.test(name));
}
