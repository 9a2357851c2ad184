import type { OptionType } from '../../machinery/options/option-type.ts';
import { listOf, number, object, text } from '../../machinery/options/option-type.ts';
import type { RequestMatch } from '../requests/request-match.ts';
import type {
  CutFault,
  DelayFault,
  DropFault,
  Fault,
  FaultOccurrence,
  FaultPlanSpec,
  HoldEventsFault,
  PartitionFault,
  StaleReadFault,
  StatusFault,
  WatchFault,
} from './fault-plan.ts';

/* The members of a fault plan and their types. Validation checks the values, in Kubernetes' words. */

const texts = listOf(text);
const nothing = object<Record<string, never>>({});
/** One of several texts. Validation knows which. */
const word = text as OptionType<never>;

export const requestMatch = object<RequestMatch>({
  verbs: listOf(word),
  apiGroups: texts,
  resources: texts,
  namespaces: texts,
  names: texts,
  users: texts,
  groups: texts,
  userAgents: texts,
  nonResourceURLs: texts,
});

const fault = object<Fault>({
  status: object<StatusFault>({
    code: number() as OptionType<never>,
    reason: text,
    message: text,
    retryAfterSeconds: number(),
  }),
  delay: object<DelayFault>({ duration: text, when: word }),
  drop: object<DropFault>({ when: word }),
  cut: object<CutFault>({ afterBytes: number() }),
  watch: object<WatchFault>({ action: word, afterEvents: number(), bookmarks: word }),
  staleRead: object<StaleReadFault>({ age: text }),
  holdEvents: object<HoldEventsFault>({ duration: text }),
  compact: nothing,
  restart: nothing,
  partition: object<PartitionFault>({ duration: text }),
});

export const faultPlanSpec = object<FaultPlanSpec>({
  match: requestMatch,
  occurrence: object<FaultOccurrence>({ skip: number(), count: number(), probability: text, seed: number() }),
  fault,
});
