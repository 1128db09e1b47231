// Bundles of a remote, brought here where a person asked for it by name. Nothing that is here is written over.
import type { Result } from '../../model/result.ts';
import { fetchEvidence } from '../../repos/evidence.ts';
import type { Source } from './source.ts';

export const fetchHere = (source: Source, remote: string): Promise<Result<void>> => fetchEvidence(source.git, remote);
