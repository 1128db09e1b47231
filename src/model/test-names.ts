// Files that hold tests, by the conventions that most projects follow. Each test runner adds its own (src/verify/runners).

const TEST_FOLDERS = new Set([
  'test',
  'tests',
  '__tests__',
  'spec',
  'specs',
  'e2e',
  '__mocks__',
  '__snapshots__',
  '__fixtures__',
  'testdata',
  'fixtures',
  'fixture',
  'golden',
  'goldens',
  'snapshots',
  'mocks',
]);
export const TEST_NAMES = /[._-](?:test|spec|cy)\.\w+$|\.test$|^test_[^/]*\.py$|_test\.\w+$/;
const CODE = /\.(?:[cm]?[jt]sx?|py|sh|bash|rb|go|rs|java|kt|php|pl|c|cc|cpp|cs|swift|test|t|bats)$/;

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const foldersOf = (path: string): readonly string[] => path.split('/').slice(0, -1);

/** A file in a folder of tests, whatever it holds. */
export const isInTestFolder = (path: string): boolean => foldersOf(path).some((folder) => TEST_FOLDERS.has(folder));

/** A program in a folder of tests that is no helper of them. */
export const isTestProgram = (path: string): boolean =>
  isInTestFolder(path) && CODE.test(nameOf(path)) && !isHelper(path);

/** By its name and folder. */
export const looksLikeTest = (path: string): boolean => TEST_NAMES.test(nameOf(path)) || isTestProgram(path);

/** Its folder or its name says that tests use it. */
const isHelper = (path: string): boolean =>
  foldersOf(path).some((f) =>
    /^(?:support|helpers?|fixtures?|__fixtures__|__mocks__|mocks|testdata|utils?)$/.test(f),
  ) || /^(?:helpers?|fixtures?|utils?|setup|common|support)\b/.test(nameOf(path));
