export { equalJson } from '../machinery/equality.ts';
