import type { KubeObject } from '../../machinery/object.ts';

/** Values of field selectors that overlays name as `custom`. (each kind's GetAttrs, pkg/registry) */

/** (pkg/registry/core/pod/strategy.go) */
export const podIP = ({ status }: KubeObject): string => status?.podIPs?.[0]?.ip ?? status?.podIP ?? '';

/** A label that is taken, and has no value on any object. (status.podIPs: pkg/apis/core/v1/conversion.go has it, strategy.go does not) */
export const unset = (): string => '';

/** (pkg/registry/core/event/strategy.go) The source, or who reports it in the new API. */
export const eventSourceComponent = ({ source, reportingComponent }: KubeObject): string =>
  source?.component || reportingComponent || '';
export const eventReportingController = ({ reportingComponent }: KubeObject): string => reportingComponent ?? '';
export const eventsReportingController = ({ reportingController }: KubeObject): string => reportingController ?? '';

/** (pkg/registry/batch/job/strategy.go) */
export const jobSuccessful = ({ status }: KubeObject): string => String(status?.succeeded ?? 0);
