import { describeAttacks } from './harness/describe-attacks.ts';
import { cborBodies } from './rows/cbor-bodies.ts';

describeAttacks(cborBodies);
