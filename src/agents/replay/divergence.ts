// A replay that differs from its recording, as a failure.
import { failure, type Failure, type Params } from '../../model/failure.ts';
import type { Cassette } from './cassette.ts';

/** `what`: a code with a text in the catalogue. */
export const divergence = (
  { file, header }: Pick<Cassette, 'file' | 'header'>,
  what: string,
  params: Params,
): Failure => failure('replay-departed', { ...params, what, file, command: header.command });

/** The turn did nothing that could be judged, and the run cannot continue. */
export const isDivergence = (why: Failure | null): why is Failure =>
  why !== null && (why.reason === 'replay-departed' || why.reason === 'cassette-invalid');
