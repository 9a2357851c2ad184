import { describeAttacks } from './harness/describe-attacks.ts';
import { patches } from './rows/patches.ts';

describeAttacks(patches);
