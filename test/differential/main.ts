import { causes, sortByCause } from './causes.ts';
import { besideReference } from './servers.ts';
import { type Outcome, runTool } from './tool.ts';

/**
 * Sends the same random requests about custom resources to Kubernetes' own server and to this one, and reports each
 * difference that a client can see and that docs/differences.md does not list. ROUNDS (default 20), SEED of the first
 * round (default random), FLAGS of both servers; CBOR=1 speaks CBOR with both, and CONVERSION=1 gives each definition two
 * versions and a conversion webhook. The arguments go to the tool. Fails if there is a difference that is not listed.
 */
const { ROUNDS: rounds = '20', SEED: seed = '', FLAGS: given = '', CBOR = '', CONVERSION = '' } = process.env;
const cbor = CBOR !== '';
const flags = given.split(' ').filter((flag) => flag !== '');
if (cbor) flags.push('--feature-gates=CBORServingAndStorage=true');
const args = [
  `--rounds=${rounds || 20}`,
  ...(seed === '' ? [] : [`--seed=${seed}`]),
  '--max=0',
  ...process.argv.slice(2),
];

process.exitCode = await besideReference(flags, async (servers) => {
  const outcome = await runTool(servers, { cbor, conversion: CONVERSION !== '', args });
  return print(outcome) === 0 && outcome.errors.length === 0 ? 0 : 1;
});

/** Prints the differences by cause. Returns how many have none. */
function print({ differences, rounds: done, operations }: Outcome): number {
  const sorted = sortByCause(differences);
  console.log(`\n${done} rounds, ${operations} operations, ${differences.length} differences:`);
  for (const { name } of causes) console.log(`  ${String(sorted.get(name)?.length ?? 0).padStart(5)}  ${name}`);
  const unlisted = sorted.get(undefined) ?? [];
  console.log(`  ${String(unlisted.length).padStart(5)}  not listed in docs/differences.md`);
  for (const { seed, step, op, request, kind, path, a, b } of unlisted.slice(0, 100)) {
    console.log(
      `\n${kind} seed=${seed} step=${step} ${op} ${request}\n  ${path}\n  reference: ${a}\n  here:      ${b}`,
    );
  }
  return unlisted.length;
}
