// The validation contract: what is read from its text, and how it fits a plan.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contractFor, missionFeature, missionFeatures } from '../../../test/support/mission.ts';
import { assertionsFor, fitOf, readContract } from './contract.ts';

describe('an assertion', () => {
  test.each([
    ['- VAL-AUTH-001: User can log in', 'User can log in'],
    ['* **VAL-AUTH-001**: User can log in', 'User can log in'],
    ['### VAL-AUTH-001 — User can log in', 'User can log in'],
    ['1. `VAL-AUTH-001`: User can log in', 'User can log in'],
    ['- [ ] VAL-AUTH-001: User can log in', 'User can log in'],
    ['VAL-AUTH-001: User can log in', 'User can log in'],
  ])('is read from %j', (line, said) => {
    expect(readContract(line).assertions).toEqual([{ id: 'VAL-AUTH-001', text: said, details: '', line: 1 }]);
  });
  test.each(['see VAL-AUTH-001: User', '    VAL-AUTH-001: code', 'VAL-auth-001: x', 'VAL-AUTH-1: x', ''])(
    'is not read from %j',
    (line) => {
      expect(readContract(line).assertions).toEqual([]);
    },
  );

  test('has the lines below it as its details, up to a heading', () => {
    const text = '- VAL-A-001: one\n  Check: a\n\n  and b\n## Next\ntext\n- VAL-A-002: two\n';
    expect(readContract(text).assertions).toEqual([
      { id: 'VAL-A-001', text: 'one', details: 'Check: a\n\nand b', line: 1 },
      { id: 'VAL-A-002', text: 'two', details: '', line: 7 },
    ]);
  });

  test('that is there twice, or says nothing, is named', () => {
    const { again, unreadable } = readContract('- VAL-A-001: one\r\n- VAL-A-001: again\r\n- VAL-A-002:\r\n');
    expect([again, unreadable]).toEqual([['VAL-A-001'], [{ id: 'VAL-A-002', line: 3 }]]);
  });
});

describe('plan and contract', () => {
  test('fit where every claim resolves to an assertion and back, whatever the plan', () => {
    fc.assert(
      fc.property(missionFeatures, (features) => {
        const contract = readContract(contractFor(features));
        expect(fitOf(features, contract)).toEqual({ unresolved: [], unclaimed: [], empty: [] });
        for (const { claims } of features) expect(assertionsFor(contract, claims).map(({ id }) => id)).toEqual(claims);
      }),
    );
  });

  test('a claim without an assertion, an assertion without a claim and a feature without a claim are named', () => {
    const features = [missionFeature(1, { claims: ['VAL-A-001'] }), missionFeature(2, { claims: [] })];
    expect(fitOf(features, readContract('- VAL-A-002: two\n'))).toEqual({
      unresolved: [{ claim: 'VAL-A-001', feature: 'F-001' }],
      unclaimed: ['VAL-A-002'],
      empty: ['F-002'],
    });
  });
});
