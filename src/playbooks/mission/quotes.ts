// Whether a quote is where it is said to be: in a file of the work tree, or in the output of the checks.
import { z } from 'zod';
import { defineSurvey } from '../../engine/definitions.ts';
import { occursIn, QUOTED_OUTPUT, quotedFile } from '../../model/review.ts';

const quote = z.object({ id: z.string(), path: z.string(), quote: z.string() });

export const quotesFound = defineSurvey({
  id: 'mission.quotes',
  /** `output`: what the checks printed. */
  input: z.object({ quotes: z.array(quote).readonly(), output: z.string() }),
  facts: z.object({ found: z.array(z.string()).readonly() }),
  async read({ view }, { quotes, output }) {
    const texts = new Map<string, string | null>([[QUOTED_OUTPUT, output]]);
    const found: string[] = [];
    for (const { id, path, quote: said } of quotes) {
      const file = quotedFile(path);
      if (!texts.has(file)) texts.set(file, isInside(file) ? await view.read(file) : null);
      if (occursIn(texts.get(file) ?? '', said)) found.push(id);
    }
    return { found };
  },
});

const isInside = (path: string): boolean =>
  path !== '' &&
  !path.startsWith('/') &&
  !path.split('/').includes('..') &&
  !path.startsWith('.git/') &&
  path !== '.git';
