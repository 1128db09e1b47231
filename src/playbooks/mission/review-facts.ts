// Facts that a review rests on.
import { z } from 'zod';
import { defineSurvey } from '../../engine/definitions.ts';
import { featureFacts } from './facts.ts';

/** The assertions that a feature must meet. */
export const claimsOf = defineSurvey({
  id: 'mission.claims',
  input: z.object({ item: z.string() }),
  /** `unresolved`: those that the committed contract does not spell out. */
  facts: z.object({
    claims: z.array(z.object({ id: z.string(), text: z.string() })).readonly(),
    unresolved: z.array(z.string()).readonly(),
  }),
  async read(context, { item }) {
    const { feature, assertions } = await featureFacts(context, item);
    const known = new Set(assertions.map(({ id }) => id));
    const claims = assertions.map(({ id, text }) => ({ id, text }));
    return { claims, unresolved: feature.claims.filter((claim) => !known.has(claim)) };
  },
});
