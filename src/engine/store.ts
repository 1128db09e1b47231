// The machine's own file: read with its schema, written atomically, re-read before it is rewritten.
import { readText } from '../host/files.ts';
import type { Io } from '../host/io.ts';
import { parseJsonFile } from '../model/own-files.ts';
import { ok, type Result } from '../model/result.ts';
import type { Schema } from './types.ts';

export type Stored<F> = { readonly text: string; readonly file: F };
export type Store<F> = {
  readonly path: string;
  /** null: no file yet. Fails with `state-unreadable` if it does not parse, `file-unreadable` if it is not a file. */
  read(): Result<Stored<F> | null>;
  render(file: F): string;
  write(text: string): void;
  remove(): void;
};

export function jsonStore<F>(path: string, schema: Schema<F>, io: Io): Store<F> {
  return {
    path,
    read() {
      const text = readText(path);
      if (!text.ok) return text;
      if (text.value === null) return ok(null);
      const file = parseJsonFile(text.value, path, schema);
      return file.ok ? ok({ text: text.value, file: file.value }) : file;
    },
    render: (file) => JSON.stringify(file, null, 2) + '\n',
    write: (text) => io.replace(path, text),
    remove: () => io.remove(path, 'for-good'),
  };
}
