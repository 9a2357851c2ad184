import { compareListed } from './listed.ts';
import { joined, report } from './outcome.ts';
import { besideReference } from './servers.ts';
import { runTool } from './tool.ts';
import { compareWebhookFailures } from './webhook-failures.ts';

/**
 * Sends the same random requests for custom resources to Kubernetes' own server and to this one. Reports each visible
 * difference that docs/differences.md does not list. Also sends the listed requests. ROUNDS (default 20), SEED of the
 * first round (default random), FLAGS of both servers. CBOR=1 speaks CBOR with both. CONVERSION=1 gives each definition
 * two versions and a conversion webhook, which sometimes fails. Arguments go to the tool. Fails for an unlisted
 * difference.
 */
const { ROUNDS: rounds = '20', SEED: seed = '', FLAGS: given = '', CBOR = '', CONVERSION = '' } = process.env;
const cbor = CBOR !== '';
const conversion = CONVERSION !== '';
const flags = given.split(' ').filter((flag) => flag !== '');
if (cbor) flags.push('--feature-gates=CBORServingAndStorage=true');
const args = [`--rounds=${rounds || 20}`, ...(seed === '' ? [] : [`--seed=${seed}`]), '--max=0', ...process.argv.slice(2)];

process.exitCode = await besideReference(flags, async (servers) => {
  const outcomes = [await compareListed(servers)];
  if (conversion) outcomes.push(await compareWebhookFailures(servers));
  outcomes.push(await runTool(servers, { cbor, conversion, args }));
  return report(joined(outcomes));
});
