// What an operation is: one thing that a person or a program may ask of a repository, as data. The command line's `--json`, HTTP, the
// JSON Schema, the types of the page and the reference in docs/operations.md are made from it (all.ts).
import type { z } from 'zod';
import type { Catalogue } from '../../host/catalogue.ts';
import type { Result } from '../../model/result.ts';

/** Where it is asked, and in which language its sentences are. */
export type Asker = { readonly repo: string; readonly configFile: string | null; readonly catalogue: Catalogue };

/** `answer` is what programs get; `detail` is what the command line makes its lines of. */
export type Answered<A, D> = { readonly answer: A; readonly detail: D };

export type OperationDefinition<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType, D = unknown> = {
  /** Kebab-case: the last part of its path, and the name of its answer's schema. */
  readonly name: string;
  readonly kind: 'read' | 'write';
  /** One sentence, for the reference and for agents. */
  readonly about: string;
  /** The words of the command line with the same answer; null: there is none. */
  readonly command: string | null;
  readonly input: I;
  readonly output: O;
  /**
   * Of an operation that takes the run lock: the words of the command that performs it; null: with this input it does not. A server has it performed by that command, because
   * asking for a lock in the process that holds it would release it (src/host/lock.ts).
   */
  readonly words?: (input: z.output<I>) => readonly string[] | null;
  /** How long that command may take; left out: ten minutes. */
  readonly limitMs?: number;
  run(asker: Asker, input: z.output<I>): Promise<Result<Answered<z.output<O>, D>>>;
};

/** Keeps the types of its schemas, so that `run` is checked against them. */
export const operation = <I extends z.ZodObject, O extends z.ZodType, D>(
  one: OperationDefinition<I, O, D>,
): OperationDefinition<I, O, D> => one;
