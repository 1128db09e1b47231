// Placeholder: the adapter for Claude replaces this file as a whole.
export { acpRunner as claudeRunner } from '../acp/runner.ts';
