// The tools that the bench can be run against.
import { harness } from './harness.ts';
import { shellLoop, testedLoop } from './loops.ts';
import { ralphy } from './ralphy.ts';
import type { Tool } from './tool.ts';

export const TOOLS: readonly Tool[] = [harness, shellLoop, testedLoop, ralphy];
