// features.json for tests: the reference's own example, and generators of valid lists.
import * as fc from 'fast-check';
import type { Feature } from '../../src/playbooks/features/schema.ts';

export const REFERENCE_FILE = `{
  "project": "my-api",
  "generated_by": "initializer",
  "last_updated": "2025-01-15T10:00:00Z",
  
  "features": [
    {
      "id": 1,
      "category": "auth",
      "description": "User can register with email and password",
      "test_file": "tests/e2e/test_registration.py",
      "verification_steps": [
        "Navigate to /register",
        "Enter email and password",
        "Submit form",
        "Verify user is created in database",
        "Verify user can log in with credentials"
      ],
      "size_estimate": "small",
      "passes": false
    },
    {
      "id": 2,
      "category": "auth", 
      "description": "User can log in with email and password",
      "test_file": "tests/e2e/test_login.py",
      "verification_steps": [
        "Navigate to /login",
        "Enter valid credentials"
      ],
      "size_estimate": "small",
      "depends_on": [1],
      "passes": false,
      "owner": {"team": "core"}
    },
    {
      "id": 3,
      "category": "auth",
      "description": "User can reset password via email",
      "test_file": "tests/e2e/test_password_reset.py",
      "size_estimate": "medium",
      "depends_on": [1, 2],
      "passes": false
    }
  ],
  
  "instructions": "IMPORTANT: Only change 'passes' from false to true after the test_file passes."
}
`;

export const feature = (id: number, more: Partial<Feature> = {}): Feature => ({
  id,
  description: `User can do thing ${id}`,
  test_file: `tests/test_${id}.py`,
  passes: false,
  ...more,
});

export const fileOf = (features: readonly Feature[], indent: number | string = 2): string =>
  `${JSON.stringify({ project: 'p', last_updated: 'then', features }, null, indent)}\n`;

/** Valid lists: unique ids in any order, dependencies without circles, every state a feature can be in. */
export const featureLists = (max = 12): fc.Arbitrary<Feature[]> =>
  fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: max }).chain((ids) =>
    fc
      .tuple(
        ...ids.map((id, place) =>
          fc
            .record(
              {
                passes: fc.boolean(),
                depends_on: fc.option(fc.subarray(ids.slice(0, place)), { nil: null }),
                priority: fc.option(fc.constantFrom(-1, 0, 0.5, 1, 2), { nil: null }),
                skipped: fc.option(fc.record({ reason: fc.string(), unblock: fc.boolean() }), {
                  nil: undefined,
                  freq: 3,
                }),
                failing: fc.option(fc.record({ reason: fc.string() }), { nil: undefined, freq: 6 }),
                description: fc.string({ minLength: 1 }).map((s) => `d${s}`),
                note: fc.jsonValue().map((v) => v as never),
              },
              { requiredKeys: ['passes', 'description'] },
            )
            .map((more): Feature => ({ ...feature(id), ...more })),
        ),
      )
      .chain((list) => fc.shuffledSubarray(list, { minLength: list.length })),
  );

/** For tests of what is below the playbooks: a machine and a list to try it with. */
export { featuresPlaybook } from '../../src/playbooks/features/playbook.ts';
