import { describeAttacks } from './harness/describe-attacks.ts';
import { headers } from './rows/headers.ts';

describeAttacks(headers);
