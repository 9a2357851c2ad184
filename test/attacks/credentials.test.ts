import { describeAttacks } from './harness/describe-attacks.ts';
import { credentials } from './rows/credentials.ts';

describeAttacks(credentials);
