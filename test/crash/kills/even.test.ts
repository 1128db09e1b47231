// One half of the scenarios that the real program is killed in.
import { diesForReal } from './suite.ts';

diesForReal(0, 2, 'even.test.ts');
