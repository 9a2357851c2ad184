import type { Admission, Attributes } from '../machinery/admission.ts';

/** Exempts the writes of an API group from all plugins. */
export function exemptGroup(group: string, admission: Admission): Admission {
  const isExempt = ({ definition }: Attributes): boolean => definition.group === group;
  return {
    admit: (attributes) => (isExempt(attributes) ? undefined : admission.admit(attributes)),
    validate: (attributes) => (isExempt(attributes) ? undefined : admission.validate(attributes)),
    recheck: (attributes) => (isExempt(attributes) ? undefined : admission.recheck(attributes)),
  };
}
