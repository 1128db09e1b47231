// The repository that everything wrong is put into: small, in order, and quick to prove.
import { FEATURES } from '../../support/repo.ts';

/** Prints one test as TAP; `not` makes it fail. */
const tap = (name: string): string => `printf '1..1\\nok 1 - ${name}\\n'`;

export const CONFIG = `playbook: features
project: { name: shop }
agents:
  default: { provider: scripted, scenario: ../scenario.yaml }
environment: { init: ./init.sh, reset: ./reset.sh }
testing:
  runner: tap
  feature: "sh {test_file}"
  full: "sh tests/open.sh"
`;

export const SHOP: { readonly [path: string]: string } = {
  '.harness.yaml': CONFIG,
  '.gitignore': '.harness/\n',
  'features.json': FEATURES.replaceAll('.test.mjs', '.sh'),
  'claude-progress.txt': '# Progress: shop\n',
  'init.sh': '#!/bin/sh\nexit 0\n',
  'reset.sh': '#!/bin/sh\nexit 0\n',
  'tests/open.sh': `${tap('the shop opens')}\n`,
  'tests/cart.sh': `${tap('a cart is filled')}\n`,
  'tests/pay.sh': `${tap('a cart is paid')}\n`,
};

/** The configuration with one line or section in place of another. */
export const configWith = (find: string, put: string): string => {
  if (!CONFIG.includes(find)) throw new Error(`the configuration has no ${find}`);
  return CONFIG.replace(find, put);
};
