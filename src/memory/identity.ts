// What a role has learnt over all missions of a user (L4): one list of tricks for each role. It only grows: no line is lost, none is there twice,
// though several missions promote at once.
import { join } from 'node:path';
import type { Io } from '../host/io.ts';
import { underShortLock } from '../host/short-lock.ts';
import { Bug } from '../model/bug.ts';
import type { MemoryRepair } from '../model/memory.ts';
import { failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import { CAPS, cutAtLine, isWithin } from './caps.ts';
import { guardOnce } from './context.ts';
import { inspect, repair } from './repair.ts';
import { trickKey } from './tricks.ts';

const NAME = /^[a-z][a-z0-9-]*$/;

export type Identities = {
  fileOf(role: string): string;
  /** The whole file, fit for a prompt. Changes nothing. */
  read(role: string): { readonly text: string; readonly repairs: readonly MemoryRepair[] };
  /** The newest lines, as many as a prompt carries. `repairs` are made where it is not `only-looks`. */
  forPrompt(
    role: string,
    how?: 'only-looks',
  ): Result<{ readonly text: string; readonly repairs: readonly MemoryRepair[] }>;
  /** Appends the tricks that the role does not have. Repeatable. */
  learn(role: string, tricks: readonly string[]): Result<readonly MemoryRepair[]>;
};

export function openIdentities(about: {
  readonly io: Io;
  /** The user's folder. */
  readonly personDir: string;
  readonly playbook: string;
}): Identities {
  const { io, personDir, playbook } = about;
  const fileOf = (role: string): string => {
    if (![playbook, role].every((name) => NAME.test(name))) throw new Bug(`no name of a role: ${playbook}/${role}`);
    return join(personDir, 'identity', playbook, `${role}.md`);
  };
  const fixed = (file: string): Result<ReturnType<typeof inspect>> =>
    underShortLock(personDir, 'identity', () => {
      const found = inspect(file, null);
      repair(io, file, found);
      return ok(found);
    });
  return {
    fileOf,
    read: (role) => inspect(fileOf(role), null),
    forPrompt(role, how) {
      const seen = inspect(fileOf(role), null);
      const found = seen.broken === null || how === 'only-looks' ? ok(seen) : fixed(fileOf(role));
      if (!found.ok) return found;
      const text = found.value.text.trim();
      const part = isWithin(text, CAPS.identity) ? text : cutAtLine(text, CAPS.identity, 'newest');
      return ok({ text: part, repairs: found.value.repairs });
    },
    learn(role, tricks) {
      const file = fileOf(role);
      return underShortLock(personDir, 'identity', () => {
        const found = inspect(file, null);
        // A file that cannot be read is not replaced: what it holds would be lost.
        if (found.repairs.some(({ why }) => why === 'unreadable'))
          return err(failure('file-unreadable', { file, code: 'not-a-file' }, { at: { file } }));
        repair(io, file, found);
        const known = new Set(found.text.split('\n').map(keyOfLine));
        const added: string[] = [];
        for (const trick of tricks) {
          if (known.has(trickKey(trick))) continue;
          known.add(trickKey(trick));
          added.push(`- ${trick}\n`);
        }
        const before = found.text === '' || found.text.endsWith('\n') ? found.text : `${found.text}\n`;
        // As a whole, so that a crash leaves no half line.
        if (added.length > 0) io.replace(file, guardOnce(`${before}${added.join('')}`));
        return ok(found.repairs);
      });
    },
  };
}

/** A line of the file, or one that a user wrote there, without its bullet or the sign of a quotation. */
const keyOfLine = (line: string): string => trickKey(line.replace(/^(?:\s*[-*+>]\s+)+/, ''));
