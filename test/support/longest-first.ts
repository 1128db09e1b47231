// The order of test files: those that take minutes begin first, so that no core is idle while the last of them ends.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Longest first, as CI lists them at the end of its log. */
const LONG: readonly RegExp[] = [
  /e2e\/(?:mission|page|lanes|evidence)\.long/,
  /crash\/landing/,
  /providers\//,
  /adversarial\/liars/,
  /crash\/quick\/(even|odd)/,
  /crash\/kills\//,
  /crash\/outages/,
  /adversarial\/honest/,
  /e2e\/bad-input/,
  /crash\/lying/,
  /adversarial\/weak-tests/,
  /crash\/cut/,
  /simulator\/missions/,
  /crash\//,
  /\.long\./,
  /e2e\//,
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = LONG.findIndex((one) => one.test(moduleId));
      return at < 0 ? LONG.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
