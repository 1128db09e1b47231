// The reference's own file: read with its schema, written atomically, re-read before it is rewritten.
import { existsSync, readFileSync } from 'node:fs';
import type { Io } from '../host/io.ts';
import { failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import type { Schema } from './types.ts';

export type Stored<F> = { readonly text: string; readonly file: F };
export type Store<F> = {
  readonly path: string;
  /** null: there is no file yet. Fails with `state-unreadable` (params file, why) where it does not parse. */
  read(): Result<Stored<F> | null>;
  render(file: F): string;
  write(text: string): void;
};

export function jsonStore<F>(path: string, schema: Schema<F>, io: Io): Store<F> {
  return {
    path,
    read() {
      if (!existsSync(path)) return ok(null);
      const text = readFileSync(path, 'utf8');
      try {
        return ok({ text, file: schema.parse(JSON.parse(text)) });
      } catch (error) {
        const why = error instanceof Error ? firstLine(error) : String(error);
        return err(failure('state-unreadable', { file: path, why }, { at: { file: path } }));
      }
    },
    render: (file) => JSON.stringify(file, null, 2) + '\n',
    write: (text) => io.replace(path, text),
  };
}

/** Zod puts its issues into the message as JSON; a person wants the first one. */
function firstLine(error: Error): string {
  const issues = (error as { issues?: readonly { path: readonly PropertyKey[]; message: string }[] }).issues;
  const issue = issues?.[0];
  return issue ? `${issue.path.map(String).join('.')}: ${issue.message}` : (error.message.split('\n')[0] ?? '');
}
