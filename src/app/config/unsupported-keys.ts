// The keys of a configuration that this version does not support, as they are marked where they are declared. With the marks
// every key acts, or is refused with a reason, or is named to the user: no key is ignored silently.
import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod/mini';
import { KEYS, type Unsupported } from '../../model/config/values.ts';
import { notSupported, shown, type ConfigMistake, type Path } from './mistake.ts';
import { coreOf, isMap, snakeCase, valueAt } from './written.ts';

export type UnsupportedKey = { readonly path: Path; readonly value: unknown; readonly mark: Unsupported };

/** Those that the value has, in one spelling, with another value than what happens anyway. */
export function unsupportedIn(root: z.core.$ZodType, written: unknown): readonly UnsupportedKey[] {
  const found: UnsupportedKey[] = [];
  const visit = (schema: z.core.$ZodType, value: unknown, path: Path): void => {
    const mark = KEYS.get(schema)?.unsupported;
    if (mark === undefined) {
      const def = coreOf(schema);
      if (def.type !== 'object' || !isMap(value)) return;
      for (const [key, inner] of Object.entries(def.shape))
        if (Object.hasOwn(value, key)) visit(inner, value[key], [...path, snakeCase(key)]);
      return;
    }
    const { except, unless } = mark;
    const isOneOf = (all: readonly unknown[], it: unknown): boolean => all.some((one) => isDeepStrictEqual(one, it));
    const isSupported =
      isOneOf(except, value) || (unless !== undefined && isOneOf(unless.in, valueAt(written, unless.key.split('.'))));
    if (!isSupported) found.push({ path, value, mark });
  };
  visit(root, written, []);
  return found;
}

export const unsupportedMistake = ({ path, value, mark }: UnsupportedKey): ConfigMistake =>
  notSupported(path, value, mark.except.map((one) => shown(one, [])).join(' | ') || 'nothing', mark.part);
