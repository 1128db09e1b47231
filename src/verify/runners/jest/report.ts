// Reads the json report of jest. A run that ended early, that counts more tests than it lists, or that wrote a snapshot
// instead of comparing with it, is not to be believed as a whole.
import { jestJsonReader, type JestReport } from '../jest-json.ts';

export const { parse } = jestJsonReader('jest', defectsOf);

function defectsOf({ wasInterrupted, numTotalTests, snapshot, testResults }: JestReport): readonly string[] {
  const listed = testResults.reduce((sum, file) => sum + file.assertionResults.length, 0);
  const written = (snapshot?.added ?? 0) + (snapshot?.updated ?? 0);
  return [
    ...(wasInterrupted === true ? ['the run was interrupted'] : []),
    ...(numTotalTests !== undefined && numTotalTests > listed
      ? [`the run counted ${numTotalTests} tests, its report holds ${listed}`]
      : []),
    ...(written > 0 ? [`${written} snapshots were written instead of compared`] : []),
  ];
}
