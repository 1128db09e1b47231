// The other half of the missions.
import { breakNoRule } from './missions.ts';

breakNoRule(1, 2);
