import { expect, test } from '@jest/globals';
import { requestedOptions } from '../../../runtime/cli/requested-options.ts';
import { serveFlags } from '../../../runtime/cli/serve-flags.ts';
import { parseFlags } from '../../../runtime/machinery/options/flags.ts';

test.each([
  [[], 'certs'],
  [['--test-controls', '--clock=manual'], undefined],
  [['--test-controls', '--seed=1'], undefined],
  [['--test-controls', '--seed=1', '--cert-dir=mine'], 'mine'],
  [['--test-controls', '--seed=1', '--cert-dir=certs'], 'certs'],
])('the certificates of a server with the flags %j lie in %s', async (args, certDir) => {
  expect(await requestedOptions(parseFlags(args, serveFlags))).toMatchObject({ certDir });
});
