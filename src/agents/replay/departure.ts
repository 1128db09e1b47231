// Where a replay leaves what was recorded: what is told of it, and how it is recognised.
import { failure, type Failure, type Params } from '../../model/failure.ts';
import type { Cassette } from './cassette.ts';

/** `what`: a code with words. */
export const departure = ({ file, header }: Pick<Cassette, 'file' | 'header'>, what: string, params: Params): Failure =>
  failure('replay-departed', { ...params, what, file, command: header.command });

/** Nothing was done that could be judged: the run cannot go on. */
export const isDeparture = (why: Failure | null): why is Failure =>
  why !== null && (why.reason === 'replay-departed' || why.reason === 'cassette-invalid');
