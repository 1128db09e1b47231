// The tools that the bench can be run against.
import { harness } from './harness.ts';
import type { Tool } from './tool.ts';

export const TOOLS: readonly Tool[] = [harness];
