/** Values of field selectors that overlays name as `custom`. (GetAttrs, ToSelectableFields) */
export { jobSuccessful } from '../batch/job.ts';
export { eventReportingController, eventSourceComponent } from '../core/event.ts';
export { podIP, unset } from '../core/pod/printer.ts';
export { eventsReportingController } from '../events.k8s.io/event.ts';
