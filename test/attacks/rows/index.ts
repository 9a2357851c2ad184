import type { Attacks } from '../harness/attack.ts';
import { applies } from './applies.ts';
import { cborBodies } from './cbor-bodies.ts';
import { connections } from './connections.ts';
import { credentials } from './credentials.ts';
import { definitions } from './definitions.ts';
import { expressions } from './expressions.ts';
import { growth } from './growth.ts';
import { headers } from './headers.ts';
import { jsonBodies } from './json-bodies.ts';
import { metadata } from './metadata.ts';
import { nodeAddresses } from './node-addresses.ts';
import { patches } from './patches.ts';
import { patterns } from './patterns.ts';
import { protobufBodies } from './protobuf-bodies.ts';
import { selectors } from './selectors.ts';
import { sizes } from './sizes.ts';
import { streams } from './streams.ts';
import { urls } from './urls.ts';
import { webhookPatches } from './webhook-patches.ts';
import { yamlBodies } from './yaml-bodies.ts';

/** All tables. */
export const tables: readonly Attacks[] = [
  jsonBodies,
  yamlBodies,
  protobufBodies,
  cborBodies,
  urls,
  headers,
  connections,
  patterns,
  expressions,
  patches,
  selectors,
  credentials,
  applies,
  definitions,
  metadata,
  sizes,
  growth,
  webhookPatches,
  streams,
  nodeAddresses,
];
