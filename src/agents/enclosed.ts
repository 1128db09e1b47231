// How a program of an agent is started behind its box: the one place that puts the two together.
import type { Enclosure } from '../host/sandbox/level.ts';

type Variables = { readonly [name: string]: string };
export type Started = { readonly program: string; readonly args: readonly string[]; readonly env: Variables };

export function enclosed(box: Enclosure | undefined, argv: readonly string[], env: Variables): Started {
  const [program = '', ...args] = [...(box?.argv ?? []), ...argv];
  const left = Object.entries(env).filter(([name]) => box?.without.includes(name) !== true);
  return { program, args, env: { ...Object.fromEntries(left), ...box?.env } };
}
