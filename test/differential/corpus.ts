import { join } from 'node:path';
import { Corpus } from '../support/crd-corpus.ts';
import { sharedFolder } from '../support/shared-folder.ts';
import { CorpusComparison } from './corpus-comparison.ts';
import { besideReference } from './servers.ts';

/**
 * Creates real projects' definitions and objects in Kubernetes' own server and in this one. Reports each difference in
 * stored objects, rejections, warnings and OpenAPI schemas.
 */
process.exitCode = await besideReference([], async (servers) => {
  const comparison = new CorpusComparison(servers.sides);
  await comparison.run(new Corpus(join(sharedFolder, 'corpus')));
  return comparison.report();
});
