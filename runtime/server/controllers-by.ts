export { controllersBy } from '../controllers/selection.ts';
