// A small mission for the end-to-end tests: features with claims, a contract, and agents that follow a scenario. Its tests are lines of shell.
import { workshop, type Options, type Session, type Steps, type Workshop } from './workshop.ts';

export const CONTRACT = `# Validation contract

## SHOP
- VAL-SHOP-001: There is a bench.
  > A shop has a bench.
- VAL-SHOP-002: There is a saw.
  > A shop has a chainsaw.
`;
const LIST = '.harness/features.json';
/** Without the file itself: the harness keeps others beside it. */
const IGNORED = '.harness/*\n!.harness/features.json\n!.harness/validation-contract.md\n';

type Feature = {
  readonly id: string;
  readonly title: string;
  readonly claims: readonly string[];
  readonly test_file: string;
};
const FEATURES: readonly Feature[] = [
  { id: 'F-001', title: 'A bench is there', claims: ['VAL-SHOP-001'], test_file: 'tests/bench.test' },
  { id: 'F-002', title: 'A saw is there', claims: ['VAL-SHOP-002'], test_file: 'tests/saw.test' },
];

/** `name`: the thing that the feature makes. */
export const makes = (name: string, more = ''): Steps => [
  { write: { path: `src/${name}`, text: `the ${name} is made of wood\n${more}` } },
  { write: { path: `tests/${name}.test`, text: `${name} is there|grep -q ${name} src/${name}\n` } },
];
export const worker = (item: string, ...steps: Steps): Session => ({ when: { role: 'worker', item }, turns: [steps] });

export const answer = (value: object): Steps => [{ say: JSON.stringify(value) }];
export const passes = (id: string, name: string): Steps =>
  answer({
    assertions: [{ id, verdict: 'pass', path: `src/${name}`, quote: `the ${name} is made of wood`, why: '' }],
    issues: [],
  });
export const validator = (item: string, ...turns: readonly Steps[]): Session => ({
  when: { role: 'validator', item },
  turns,
});

export const honestMission: readonly Session[] = [
  worker('F-001', ...makes('bench')),
  validator('F-001', passes('VAL-SHOP-001', 'bench')),
  worker('F-002', ...makes('saw')),
  validator('F-002', passes('VAL-SHOP-002', 'saw')),
];

export function missionShop(options: Options & { readonly features?: readonly Feature[] } = {}): Workshop {
  const { features = FEATURES } = options;
  const entries = features.map((one) => ({ ...one, status: 'pending', attempts: 0, depends_on: [] }));
  return workshop({
    ...options,
    playbook: 'mission',
    config: options.config ?? '',
    files: {
      '.gitignore': IGNORED,
      [LIST]: `${JSON.stringify({ mission: 'shop', features: entries }, null, 2)}\n`,
      '.harness/validation-contract.md': CONTRACT,
      'SPEC.md': '# The shop\n\nA shop has\na bench.\n',
      ...options.files,
    },
    without: ['features.json', 'claude-progress.txt', 'tests/board.test', ...(options.without ?? [])],
  });
}
