import { describeAttacks } from './harness/describe-attacks.ts';
import { connections } from './rows/connections.ts';

describeAttacks(connections);
