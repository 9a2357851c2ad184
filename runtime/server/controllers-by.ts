export { controllersBy } from '../reconcile/controller-selection.ts';
