import * as types from '../machinery/options/option-type.ts';
import { list, negated, text } from './flag-values.ts';
import type { OptionRow } from './option-row.ts';
import { apiGroup } from './option-types.ts';

/** (kube-apiserver: pkg/server/options/api_enablement.go) */
export const apiEnablementOptions: readonly OptionRow[] = [
  {
    option: 'kubernetes',
    flag: 'kubernetes-version',
    value: text('MINOR'),
    about: 'The Kubernetes release to serve, as 1.33 (default: 1.35).',
    doc: 'The Kubernetes release of these groups, for example `1.33`. Default: the newest fully served release.',
  },
  {
    option: 'runtimeConfig',
    flag: 'runtime-config',
    value: list('KEY=BOOL,...'),
    about: 'APIs to enable or disable: api/all, api/ga, api/beta, api/alpha, a group/version or a group/version/resource.',
    doc: 'For example `apps/v1=false`, `api/beta=false`.',
  },
  {
    option: 'builtin',
    flag: 'no-builtin',
    value: negated(),
    check: types.either(types.boolean, apiGroup),
    type: 'boolean | ApiGroup',
    about: 'Serve only the groups of a generic control plane: namespaces, events, access control, CRDs, flow control and leases.',
    doc:
      "Kubernetes' own groups: all (true, the default), the groups of a generic control plane (false: namespaces, events, " +
      'access control, custom resources, flow control, leases), or the generated groups of another release.',
  },
  {
    option: 'groups',
    check: types.listOf(apiGroup),
    type: 'readonly ApiGroup[]',
    doc: 'Additional groups. Default: none.',
  },
];
