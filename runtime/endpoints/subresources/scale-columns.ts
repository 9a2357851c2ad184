import { age } from '../../machinery/age.ts';
import type { TableColumn } from '../../machinery/resource.ts';

/** A Scale in a table; no column is said to be the name. (pkg/printers/internalversion/printers.go) */
export const scaleColumns: readonly TableColumn[] = [
  {
    name: 'Name',
    type: 'string',
    format: '',
    description: 'Name of the object that is scaled.',
    priority: 0,
    cell: ({ metadata }) => metadata.name ?? '',
  },
  {
    name: 'Desired',
    type: 'integer',
    format: '',
    description: 'How many pods are wanted.',
    priority: 0,
    cell: ({ spec }) => spec?.replicas ?? 0,
  },
  {
    name: 'Available',
    type: 'integer',
    format: '',
    description: 'How many pods there are.',
    priority: 0,
    cell: ({ status }) => status?.replicas ?? 0,
  },
  {
    name: 'Age',
    type: 'string',
    format: '',
    description: 'Time since the object was created.',
    priority: 0,
    cell: age,
  },
];
