// One half of the missions.
import { breakNoRule } from './missions.ts';

breakNoRule(0, 2);
