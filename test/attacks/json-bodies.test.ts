import { describeAttacks } from './harness/describe-attacks.ts';
import { jsonBodies } from './rows/json-bodies.ts';

describeAttacks(jsonBodies);
