import { describeAttacks } from './harness/describe-attacks.ts';
import { yamlBodies } from './rows/yaml-bodies.ts';

describeAttacks(yamlBodies);
