// The other half of the scenarios of the quick grid.
import { diesQuickly } from './suite.ts';

diesQuickly(1, 2);
