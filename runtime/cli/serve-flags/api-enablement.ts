import { list, negated, text } from './flag-values.ts';
import type { ServeFlag } from './serve-flag.ts';

/** (kube-apiserver: pkg/server/options/api_enablement.go) */
export const apiEnablementFlags: readonly ServeFlag[] = [
  {
    name: 'kubernetes-version',
    option: 'kubernetes',
    value: text('MINOR'),
    about: 'The Kubernetes release to serve, as 1.33 (default: 1.35).',
  },
  {
    name: 'runtime-config',
    option: 'runtimeConfig',
    value: list('KEY=BOOL,...'),
    about: 'APIs to enable or disable: api/all, api/ga, api/beta, api/alpha, a group/version or a group/version/resource.',
  },
  {
    name: 'no-builtin',
    option: 'builtin',
    value: negated(),
    about: "Of Kubernetes' own API groups, serve only namespaces, events, access control, CRDs, flow control and leases.",
  },
];
