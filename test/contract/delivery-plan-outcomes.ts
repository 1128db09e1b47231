// What can come of the steps of a delivery beside its plans' own: plans from a specification, and a specification from a site.
import { problem } from '../support/outcomes.ts';

export const PLAN_SPEC = { path: 'SPEC.md', text: '# Shop', acceptance: null, isFirst: true } as const;
export const SITE_ASK = {
  url: 'http://127.0.0.1:4000/',
  out: 'docs/spec/site.md',
  pages: 12,
  depth: 3,
  browser: null,
} as const;

const drafts = {
  plans: [{ file: '0001-cart.md', text: '# Cart\n' }],
  acceptance: '- CART-1: It holds goods.\n',
};
const result = { spec: '# Shop\n', acceptance: '# Acceptance\n', statements: 1, criteria: 1, notSeen: 0 };
const wrong = problem('plan-draft-invalid', { file: '0001-cart.md', why: 'test-missing' });

/** By the id of the survey. */
export const DELIVERY_SURVEYS: { readonly [survey: string]: readonly object[] } = {
  'delivery.count-plans': [{ count: 0 }, { count: 2 }],
  'delivery.drafted-plans': [
    { problems: [], drafts },
    { problems: [wrong], drafts: { plans: [], acceptance: null } },
  ],
  'delivery.placed-plans': [
    { problems: [], files: { 'docs/plans/0001-cart.md': '# Cart\n' }, count: 1 },
    { problems: [wrong], files: {}, count: 0 },
  ],
  'delivery.drafted-site': [
    { problems: [], result },
    { problems: [problem('site-statement-unproved', { line: 3, why: 'not-cited' })], result },
    { problems: [problem('site-draft-missing')], result: null },
  ],
};
