import type { Scale } from '../../../generated/v1.35/autoscaling/v1/types.ts';
import { age } from '../../machinery/age.ts';
import type { TableColumn } from '../../machinery/resource.ts';

/** The columns of a Scale. As upstream, none has the format `name`. (pkg/printers/internalversion/printers.go) */
export const scaleColumns: readonly TableColumn[] = [
  {
    name: 'Name',
    type: 'string',
    format: '',
    description: 'The name of the scaled object.',
    field: 'name',
    priority: 0,
    cell: ({ metadata }) => metadata.name ?? '',
  },
  {
    name: 'Desired',
    type: 'integer',
    format: '',
    description: 'The desired number of pods.',
    priority: 0,
    cell: ({ spec }: Scale) => spec?.replicas ?? 0,
  },
  {
    name: 'Available',
    type: 'integer',
    format: '',
    description: 'The actual number of pods.',
    priority: 0,
    cell: ({ status }: Scale) => status?.replicas ?? 0,
  },
  {
    name: 'Age',
    type: 'string',
    format: '',
    description: 'The time since the object was created.',
    field: 'creationTimestamp',
    priority: 0,
    cell: age,
  },
];
