import { TestServer } from '../support/test-server.ts';
import { describeRules } from './describe-rules.ts';
import { ruleServerOptions } from './server-options.ts';

const server = TestServer.forSuite(ruleServerOptions);

describeRules(() => server);
