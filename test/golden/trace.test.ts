// What `harness trace` shows: of a list without claims, and of a mission before anything has landed.
import { expect, test } from 'vitest';
import { makeRepo } from '../support/repo.ts';
import { golden, transcript } from './golden.ts';

const MISSION = {
  '.harness.yaml': 'playbook: mission\nproject: { name: shop }\n',
  '.gitignore': '',
  '.harness/features.json': JSON.stringify({
    features: [
      {
        id: 'F-001',
        title: 'A bench',
        claims: ['VAL-SHOP-001', 'VAL-SHOP-007'],
        status: 'pending',
        attempts: 0,
        test_file: 'a.test',
      },
      {
        id: 'F-002',
        title: 'A saw',
        claims: ['VAL-SHOP-002'],
        status: 'pending',
        attempts: 0,
        skipped: { reason: 'x', unblock: true },
      },
    ],
  }),
  '.harness/validation-contract.md':
    '- VAL-SHOP-001: There is a bench.\n  > A shop has a bench.\n- VAL-SHOP-002: There is a saw.\n  > It has a saw.\n- VAL-SHOP-003: It is open.\n',
  'SPEC.md': '# Shop\nA shop has a bench.\n',
};

test('each claim is shown with where it comes from and why it is not proved', async () => {
  const features = makeRepo({ '.harness.yaml': 'playbook: features\nproject: { name: shop }\n' });
  const before = await transcript(features, ['trace', 'trace 2 --check']);
  const mission = makeRepo(MISSION);
  const calls = [
    'trace --check',
    'trace VAL-SHOP-001',
    'trace f-002',
    '--lang de trace',
    'trace VAL-SHOP-009',
    'trace --json',
  ];
  const seen = `${before}\n${await transcript(mission, calls)}`;
  expect(seen).toBe(golden('trace', seen));
});
