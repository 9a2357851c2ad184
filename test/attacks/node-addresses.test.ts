import { describeAttacks } from './harness/describe-attacks.ts';
import { nodeAddresses } from './rows/node-addresses.ts';

describeAttacks(nodeAddresses);
