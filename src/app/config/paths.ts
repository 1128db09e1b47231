// Paths as a configuration writes them, and those it need not write.

/** Repository-relative. */
export const STANDARD_PATHS = { features: 'features.json', stateDir: '.harness' } as const;

/** One spelling of a path inside the repository: no `./`, no `//`, no slash at the end. */
export const tidyPath = (path: string): string =>
  path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
