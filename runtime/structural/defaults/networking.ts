import type { Part } from '../../machinery/object.ts';

/** (SetDefaults_NetworkPolicy, pkg/apis/networking/v1/defaults.go) Ingress always, egress when there are rules for it. */
export function setPolicyTypes(spec: Part): void {
  if (spec.policyTypes?.length > 0) return;
  spec.policyTypes = spec.egress?.length > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
}
