// The code of an error of the system. The smallest start of the program needs it, so it is apart from files.ts.

/** The system's error code, such as ENOENT; `unknown` for any other error. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
